"""Records that editors choose by typing: a key or a name, with the browser's own list to complete from, no script."""

from difflib import get_close_matches
from functools import cached_property

from django import forms
from django.core.validators import ProhibitNullCharactersValidator

from registry.models import Metric, Property, Subject
from registry.models.subject import SubjectKind
from sources.models import Organisation, Source


class Directory:
    """All records of one kind, read once, found by key or by any of their names."""

    def __init__(self, name, noun, rows, names, label):
        self.name, self.noun, self._rows, self._names, self._label = name, noun, rows, names, label

    @cached_property
    def rows(self):
        return list(self._rows)

    @cached_property
    def by_key(self):
        return {row.key: row for row in self.rows}

    @cached_property
    def by_pk(self):
        return {row.pk: row for row in self.rows}

    @cached_property
    def by_name(self):
        found = {}
        for row in self.rows:
            for name in {name.casefold() for name in self._names(row)}:
                found.setdefault(name, []).append(row)
        return found

    @property
    def options(self):
        return [(row.key, self._label(row)) for row in self.rows]

    def find(self, text):
        """The one record of this key or name; raises ValidationError with what is near."""
        text = text.strip()
        if text in self.by_key:
            return self.by_key[text]
        named = self.by_name.get(text.casefold(), [])
        if len(named) == 1:
            return named[0]
        shown = text if len(text) <= 60 else text[:59] + "…"
        if named:
            keys = ", ".join(row.key for row in named[:6])
            raise forms.ValidationError(f"“{shown}” names {len(named)} records: type the key, one of {keys}.")
        near = get_close_matches(text.casefold()[:100], [*self.by_key, *self.by_name], 3, 0.6)
        hint = f" Did you mean {' or '.join(near)}?" if near else " Choose one from the list."
        raise forms.ValidationError(f"There is no {self.noun} called “{shown}”.{hint}")


class Directories:
    """The directories, each read from the database when it is first needed and then kept for one request."""

    @cached_property
    def subjects(self):
        return Directory(
            "subjects",
            "subject",
            Subject.objects.select_related("maker__parent"),
            lambda row: [row.name, row.slug],
            lambda row: f"{row.name} ({SubjectKind(row.kind).label})",
        )

    def _of_kind(self, name, noun, kind):
        rows = Subject.objects.of_kind(kind).select_related("maker__parent")
        return Directory(name, noun, rows, lambda row: [row.name, row.slug], lambda row: row.name)

    @cached_property
    def gpus(self):
        return self._of_kind("gpus", "GPU", SubjectKind.GPU)

    @cached_property
    def checkpoints(self):
        return self._of_kind("checkpoints", "checkpoint", SubjectKind.CHECKPOINT)

    @cached_property
    def runtimes(self):
        return self._of_kind("runtimes", "runtime", SubjectKind.RUNTIME)

    @cached_property
    def metrics(self):
        return Directory(
            "metrics",
            "metric",
            Metric.objects.all(),
            lambda row: [row.name],
            lambda row: f"{row.name} [{row.unit}]",
        )

    @cached_property
    def properties(self):
        return Directory(
            "properties",
            "property",
            Property.objects.all(),
            lambda row: [row.label],
            lambda row: (
                f"{row.label}{f' [{row.unit}]' if row.unit else ''} ({SubjectKind(row.subject_kind).label})"
            ),
        )

    @cached_property
    def organisations(self):
        return Directory(
            "organisations",
            "organisation",
            Organisation.objects.all(),
            lambda row: [row.name],
            lambda row: row.name,
        )

    @cached_property
    def sources(self):
        return Directory(
            "sources",
            "source",
            Source.objects.select_related("publisher"),
            lambda row: [row.title, row.url],
            str,
        )

    def lists(self, *names):
        """(id of the datalist, its options) for a page's template."""
        return [(f"list-{name}", getattr(self, name).options) for name in names]


class KeyedField(forms.Field):
    """A record of one directory. The form that holds the field sets `directory`."""

    default_validators = []

    def __init__(self, directory_name, **kwargs):
        self.directory_name = directory_name
        self.directory = None
        widget = forms.TextInput(
            {"list": f"list-{directory_name}", "autocomplete": "off", "class": "keyed", "maxlength": 400}
        )
        super().__init__(widget=widget, **kwargs)

    def to_python(self, value):
        if value in self.empty_values or not str(value).strip():
            return None
        ProhibitNullCharactersValidator()(str(value))
        return self.directory.find(str(value))

    def prepare_value(self, value):
        if isinstance(value, str) or value is None:
            return value
        record = self.directory.by_pk.get(getattr(value, "pk", value))
        return record.key if record else ""

    def has_changed(self, initial, data):
        return (self.prepare_value(initial) or "") != (data or "").strip()


def connect(form, directories):
    """Gives every keyed field of a form its directory."""
    for field in form.fields.values():
        if isinstance(field, KeyedField):
            field.directory = getattr(directories, field.directory_name)

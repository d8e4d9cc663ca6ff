"""What every form of the admin that changes a record does: say why a write was refused, and notice another editor."""

import hashlib

from django import forms

from registry.forms.directories import Directories, connect
from registry.models.seen import seen_by_readers

KEPT_BY_THE_DATABASE = {"verified_on", "verified_representation", "read_directly"}


def stamp(record):
    """A short text that changes whenever the record's own content does."""
    if hasattr(record, "edited_at"):
        return record.edited_at.isoformat()
    content = [
        (field.attname, getattr(record, field.attname))
        for field in record._meta.concrete_fields
        if field.name not in KEPT_BY_THE_DATABASE
    ]
    return hashlib.sha256(repr(content).encode()).hexdigest()[:24]


class RecordForm(forms.ModelForm):
    """`seen` is the stamp of what the editor had before them; another stamp now means that somebody else saved.

    The admin sets `request` on the class; `request.refusal` is why a first attempt to save failed.
    """

    request = None
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.conflict = False
        self.standing = "" if self.instance._state.adding else self.stamp()
        self.initial["seen"] = self.standing
        self.directories = getattr(self.request, "directories", None) or Directories()
        connect(self, self.directories)

    def stamp(self):
        """The stamp of what stands now; forms of more than one row add the others."""
        return stamp(self.instance)

    def clean(self):
        cleaned = super().clean()
        refusal = getattr(self.request, "refusal", "")
        seen = {self.data.get(self.add_prefix("seen"), ""), self.data.get("overwrite", "")}
        if self.standing and self.standing not in seen:
            self.conflict = True
            self.add_error(
                None,
                "This was saved meanwhile, by somebody else or in another window. "
                "Nothing of yours was saved: both versions stand side by side.",
            )
        elif refusal:
            self.add_error(None, refusal)
        return cleaned

    @property
    def versions(self):
        """(label, what stands now, what was typed) for each field that differs."""
        return [
            (
                self[name].label,
                self._shown(name, self.initial.get(name)),
                self._shown(name, self[name].value()),
            )
            for name in self.changed_data
            if name not in ("seen", "note")
        ]

    def _shown(self, name, value):
        field = self.fields[name]
        if value in (None, "", []):
            return "—"
        if choices := getattr(field, "choices", None):
            return str({str(key): label for key, label in choices}.get(str(value), value))
        if hasattr(field, "directory"):
            return field.prepare_value(value)
        return ", ".join(map(str, value)) if isinstance(value, list) else str(field.prepare_value(value))


class NotedForm(RecordForm):
    """A form of what published entries rest on: once they do, a change takes a note, which readers see."""

    note = forms.CharField(
        required=False,
        max_length=1000,
        label="What changed and why",
        help_text="Public: readers see it under /corrections. Needed once something published rests on this.",
        widget=forms.Textarea({"rows": 2, "cols": 80}),
    )
    note_missing = "Say what changed and why: published entries rest on this, and readers see the note."
    layout = ()  # fields whose change no reader has to be told of

    def clean(self):
        cleaned = super().clean()
        changed = set(self.changed_data) - {"note", "seen", *self.layout}
        if (
            self.standing
            and changed
            and "note" not in self.errors
            and not says_something(cleaned.get("note"))
            and self.rested_on()
        ):
            self.add_error("note", self.note_missing)
        return cleaned

    def rested_on(self):
        """Whether the database would refuse a change without a note."""
        return seen_by_readers(self.instance)


def says_something(text):
    """False for blanks and signs: they are no note."""
    return any(character.isalnum() for character in text or "")

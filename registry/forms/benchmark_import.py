"""Importing a result file: the upload, and what a person adds to what the file says."""

from collections import Counter
from dataclasses import dataclass

from django import forms

from registry.actions.benchmark_conditions import column_of, typed, wanted
from registry.actions.benchmark_plan import Supplied, printed
from registry.actions.benchmark_suggestions import suggested
from registry.forms.directories import KeyedField, connect
from registry.forms.sources import AddressField
from registry.models import BenchmarkRecord, Workload
from registry.readers.conditions import ARRIVALS, LOAD_MODES, NAMES
from registry.readers.text import MAX_BYTES

MOST_NAMES = 300  # that a file may print of one role: each is a field of the form
DIRECTORIES = {
    "hardware": "gpus",
    "checkpoint": "checkpoints",
    "runtime": "runtimes",
    "submitter": "organisations",
}
NEEDED = ("hardware", "submitter")
POSITIVE = {"accelerators", "nodes", "input_tokens", "output_tokens", "concurrency", "request_rate"}
# Stated by the fields of the roles.
BY_ROLE = {"hardware", "submitter"}
TOO_LARGE = f"The file is larger than {MAX_BYTES:,} bytes, the most that is read. Export the results without per-request details."


class UploadForm(forms.Form):
    file = forms.FileField(
        label="Result file",
        help_text="As the tool wrote it: JSON, JSONL, CSV, a log or a table; at most 50 MB, not packed.",
        error_messages={"required": "Choose the file that the benchmark tool wrote."},
    )

    def clean_file(self):
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(TOO_LARGE)
        return file


@dataclass(frozen=True)
class Named:
    """What the file prints of a role, and the field that says which record of the register it is."""

    role: str
    words: str
    runs: int
    field: str


def _text(model, column, **kwargs):
    field = model._meta.get_field(column)
    return forms.CharField(
        required=False,
        max_length=field.max_length,
        widget=forms.TextInput({"size": 70}),
        **{"help_text": field.help_text, **kwargs},
    )


class CompletionForm(forms.Form):
    """Everything that a file does not say and a record has to. Left empty is “not reported”.

    What a file prints becomes the label of a field, never its name, and is escaped as any text.
    """

    source = KeyedField("sources", help_text="Where the file is published: key or title.")
    origin = AddressField(
        required=False,
        label="Address of the file",
        help_text="Of this very file, at a commit or version. Left empty: the source's.",
    )
    licence = forms.CharField(
        required=False,
        max_length=200,
        help_text="Of the file, where one is stated.",
        widget=forms.TextInput({"size": 70}),
    )
    redistributable = forms.BooleanField(
        required=False, label="The licence lets the file be passed on: keep its bytes"
    )
    performed_by = KeyedField(
        "organisations", required=False, label="Measured by", help_text="Who ran it, if that is known."
    )
    boundary = _text(BenchmarkRecord, "boundary")
    cache_state = _text(Workload, "cache_state")
    context_policy = _text(
        Workload, "context_policy", help_text="How the context of a request is cut or kept."
    )
    verification = forms.ChoiceField(
        required=False,
        label="Verification status",
        choices=[("", "not reported"), ("verified", "verified"), ("unverified", "unverified")],
        help_text="As the suite says.",
    )
    note = _text(BenchmarkRecord, "note", help_text="Readers see it on every record of the file.")
    known_only = forms.BooleanField(
        required=False, label="Leave out the runs whose hardware or submitter is left empty"
    )

    use_required_attribute = False

    def __init__(self, report, directories, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.report = report
        self.runs = [run for run in report.runs if not run.refused]
        self.named = self._named()
        seem = self._seem(directories)
        self.suggested = set()
        for each in self.named:
            self.fields[each.field] = self._role(each)
            if found := seem[each.role].get(each.words):
                self.initial[each.field] = found.key
                self.suggested.add(each.field)
        self.conditions = self._open_conditions()
        for name in self.conditions:
            self.fields[f"condition-{name}"] = _condition(name)
        connect(self, directories)

    def _named(self):
        counted = {role: Counter(printed(run)[role] for run in self.runs) for role in DIRECTORIES}
        return [
            Named(role, words, runs, f"{role}-{position}")
            for role, found in counted.items()
            for position, (words, runs) in enumerate(found.items())
        ]

    def _seem(self, directories):
        """Role → words → the record they seem to mean. Of an organisation the very name is asked for."""
        organisations = directories.organisations
        names = {
            each.words: found[0]
            for each in self.named
            if each.role == "submitter"
            and len(found := organisations.by_name.get(each.words.strip().casefold(), [])) == 1
        }
        return {**suggested(self.report), "submitter": names}

    @staticmethod
    def _role(each):
        runs = f"{each.runs} run{'' if each.runs == 1 else 's'}"
        label = (
            f"{each.role.capitalize()} “{each.words}”"
            if each.words
            else f"{each.role.capitalize()}, not named"
        )
        field = KeyedField(DIRECTORIES[each.role], required=False, label=label, help_text=f"{runs}.")
        return field

    def _open_conditions(self):
        """What no run states, and what a suite cannot be cited without."""
        needed = set().union(*(run.missing for run in self.runs))
        if any(run.conditions.suite for run in self.runs):
            needed |= {"suite_version", "scenario"}
        return [
            name
            for name in NAMES
            if name in needed - BY_ROLE and all(getattr(run.conditions, name) is None for run in self.runs)
        ]

    def clean(self):
        data = super().clean()
        self._clean_roles(data)
        source = data.get("source")
        if source and source.publisher_id is None:
            self.add_error(
                "source",
                f"{source.key} names no publisher, so nothing that cites it can be published: name it on the source first.",
            )
        if data.get("redistributable") and not (data.get("licence") or "").strip():
            self.add_error("licence", "A file that may be passed on has a licence: name it.")
        for name in self.conditions:
            field = f"condition-{name}"
            if data.get(field) and typed(name, data[field]) is None:
                self.add_error(field, f"Give {wanted(name)}.")
            elif name in POSITIVE and data.get(field) and not typed(name, data[field]):
                self.add_error(field, "What is not reported is left empty, not zero.")
        if any(run.conditions.suite for run in self.runs):
            for name in ("suite_version", "scenario"):
                field = f"condition-{name}"
                if name in self.conditions and not data.get(field) and field not in self.errors:
                    self.add_error(field, "A suite's result is cited with its round and scenario: give both.")
        return data

    def _clean_roles(self, data):
        on_none = {
            printed(run)["hardware"]
            for run in self.runs
            if 0 in (run.conditions.accelerators, run.conditions.nodes)
        }
        for each in self.named:
            if each.role not in NEEDED or each.field in self.errors:
                continue
            if data.get(each.field) is None and not data.get("known_only"):
                self.add_error(
                    each.field, "Say which record of the register it is, or leave out the runs without one."
                )
            elif data.get(each.field) and each.role == "hardware" and each.words in on_none:
                self.add_error(
                    each.field, "Runs of it used no accelerator: leave it empty, and such runs out."
                )

    def supplied(self):
        """What was typed, as the import wants it."""
        data = self.cleaned_data
        roles = {
            role: {each.words: data[each.field] for each in self.named if each.role == role}
            for role in DIRECTORIES
        }
        plain = ("source", "performed_by", "origin", "licence", "redistributable", "boundary")
        plain += ("verification", "context_policy", "cache_state", "note", "known_only")
        conditions = {name: data[f"condition-{name}"] for name in self.conditions}
        return Supplied(
            **roles,
            **{name: data[name] for name in plain},
            conditions={name: value for name, value in conditions.items() if value},
        )

    def rows(self, role):
        """(field, whether what it holds is a suggestion) for each name the file prints of a role."""
        return [
            (
                self[each.field],
                each.field in self.suggested and self[each.field].value() == self.initial[each.field],
            )
            for each in self.named
            if each.role == role
        ]

    @property
    def asked(self):
        """The fields of what the file does not state."""
        return [self[f"condition-{name}"] for name in self.conditions]

    @property
    def wrong(self):
        """(field, first problem) of every field that has one."""
        return [(self[name], errors[0]) for name, errors in self.errors.items() if name in self.fields]


def too_many_names(report):
    """A sentence where a file prints more different names than a form can ask about; else an empty text."""
    for role in DIRECTORIES:
        names = {printed(run)[role] for run in report.runs if not run.refused}
        if len(names) > MOST_NAMES:
            return f"The file prints {len(names):,} different names of its {role}; at most {MOST_NAMES} are asked for at once."
    return ""


def _condition(name):
    label = name.replace("_", " ").capitalize()
    if name == "started_at":
        return forms.RegexField(
            r"^\d{4}-\d\d-\d\d$",
            required=False,
            label="Measured on",
            help_text="As 2026-01-31.",
            error_messages={"invalid": "Give a day as 2026-01-31."},
        )
    choices = {"load_mode": LOAD_MODES, "arrival": ARRIVALS}.get(name)
    if wanted(name) == "yes or no":
        choices = ("yes", "no")
    if choices:
        return forms.ChoiceField(
            required=False, label=label, choices=[("", "not reported"), *((each, each) for each in choices)]
        )
    column = column_of(name)
    return forms.CharField(
        required=False,
        label=label,
        max_length=(column and column.max_length) or 300,
        help_text=(column and column.help_text) or "",
        widget=forms.TextInput({"size": 70}),
    )

"""A benchmark record and its figures, as editors change them: one form, whose workload becomes a row of its own."""

from typing import Any

from django import forms
from django.forms.models import fields_for_model

from registry.actions.benchmark_conditions import typed, wanted
from registry.forms.citations import ChildForm
from registry.forms.claims import EntryForm
from registry.forms.directories import KeyedField
from registry.models import BenchmarkRecord, Measurement, Workload
from registry.readers.conditions import NAMES

ASKED = [field.name for field in Workload._meta.concrete_fields if field.name not in ("id", "spec_hash")]
PREFIX = "asked_"


class FurtherField(forms.CharField):
    """Conditions that have no column, one a line: “tensor_parallel = 8”."""

    def __init__(self, **kwargs):
        super().__init__(
            widget=forms.Textarea({"rows": 6, "cols": 70}), max_length=20_000, required=False, **kwargs
        )

    def prepare_value(self, value):
        if isinstance(value, dict):
            return "\n".join(f"{name} = {_written(each)}" for name, each in value.items())
        return value

    def to_python(self, value):
        if isinstance(value, dict):
            return value
        found = {}
        for line in filter(str.strip, super().to_python(value).splitlines()):
            name, equals, text = (part.strip() for part in line.partition("="))
            if not equals or name not in NAMES:
                raise forms.ValidationError(
                    f"“{line.strip()[:60]}” is no condition: write a name, “=”, and its value."
                )
            read = typed(name, text)
            if read is None:
                raise forms.ValidationError(f"{name}: give {wanted(name)}.")
            found[name] = read if isinstance(read, bool | int | str) else str(read)
        return found

    def run_validators(self, value):
        """Of the text, which is no more."""

    def has_changed(self, initial, data):
        try:
            return (initial or {}) != self.to_python(data)
        except forms.ValidationError:
            return True


def _written(value):
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


# The fields of a workload, as its model has them, beside those of the record.
AskedForm: Any = type(
    "AskedForm",
    (forms.Form,),
    {f"{PREFIX}{name}": field for name, field in fields_for_model(Workload, ASKED).items()},
)


class BenchmarkRecordForm(EntryForm, AskedForm):
    hardware = KeyedField("gpus", help_text="The accelerator or system measured: key or name.")
    checkpoint = KeyedField("checkpoints", required=False, help_text="Key or name.")
    runtime = KeyedField("runtimes", required=False, help_text="Key or name.")
    submitter = KeyedField("organisations", help_text="Who publishes it: key or name.")
    performed_by = KeyedField("organisations", required=False, label="Measured by", help_text="Who ran it.")
    further = FurtherField(
        help_text="Conditions without a field of their own, one a line: tensor_parallel = 8"
    )

    class Meta:
        model = BenchmarkRecord
        fields = "__all__"
        widgets = {
            "change_note": forms.Textarea({"rows": 2, "cols": 70}),
            "note": forms.Textarea({"rows": 2, "cols": 70}),
            "flags": forms.Textarea({"rows": 2, "cols": 70}),
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            asked = self.instance.workload
            # What was given to the form first, as a second window gives it, stays.
            self.initial = {f"{PREFIX}{name}": getattr(asked, name) for name in ASKED} | self.initial

    @property
    def asked(self):
        """The columns of the workload, as typed."""
        return {
            name: self.cleaned_data[f"{PREFIX}{name}"] for name in ASKED if f"{PREFIX}{name}" in self.fields
        }


FIGURE = ["metric", "statistic", "value", "text", "values", "divisor"]


class MeasurementForm(ChildForm):
    """One figure. A correction of a misread one changes it in the draft of the next revision."""

    metric = KeyedField("metrics")

    class Meta:
        model = Measurement
        fields = FIGURE
        widgets = {
            "statistic": forms.TextInput({"size": 8}),
            "value": forms.TextInput({"size": 16, "inputmode": "decimal"}),
            "text": forms.TextInput({"size": 20}),
            "values": forms.TextInput({"size": 8, "inputmode": "numeric"}),
            "divisor": forms.TextInput({"size": 4, "inputmode": "numeric"}),
        }

    def columns(self):
        """The figure as the action takes it."""
        return {name: self.cleaned_data[name] for name in FIGURE}

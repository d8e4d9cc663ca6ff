from django import forms

from registry.forms.directories import KeyedField
from registry.forms.records import RecordForm
from registry.models import Claim, Reproduction
from registry.models.entry import Entry
from registry.reasoning.quantities import QuantityError, display, parse

NUMBERS = ["value", "low", "high"]


def figures(prop, value_kind, text, typed=None):
    """The number, range and bound that a claim's text states, in its property's unit; raises ValidationError.

    `typed` are numbers an editor gave beside the text: they stand where the text cannot be read, and must agree where it can.
    """
    given = {name: number for name, number in (typed or {}).items() if name in NUMBERS and number is not None}
    if value_kind != Claim.ValueKind.VALUE or not prop.is_numeric:
        if given:
            why = "this property has no numbers" if not prop.is_numeric else f"“{value_kind}” gives no number"
            raise forms.ValidationError(f"Leave the number empty: {why}.")
        return dict.fromkeys(NUMBERS) | {"bound": ""}
    try:
        read = parse(text, prop.unit)
    except QuantityError as error:
        if given:
            return dict.fromkeys(NUMBERS) | given | {"bound": (typed or {}).get("bound", "")}
        raise forms.ValidationError(str(error)) from error
    stated = {"value": read.number, "low": read.low, "high": read.high}
    if given and any(stated[name] != given.get(name) for name in NUMBERS):
        says = display(read.number, read.low, read.high, "", prop.unit)
        raise forms.ValidationError(
            f"The text says {says}, the number beside it something else. Empty the number to take it from the text."
        )
    return stated | {"bound": (typed or {}).get("bound") or read.bound}


class EntryForm(RecordForm):
    """The change kind and its public note belong to a revision; the first publication has neither."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "change_kind" in self.fields:
            kinds = Entry.ChangeKind
            self.fields["change_kind"].choices = [(k.value, k.label) for k in kinds if k != kinds.FIRST]


class ClaimForm(EntryForm):
    subject = KeyedField("subjects", help_text="Key or name.")
    property = KeyedField("properties", help_text="Key or label; of the subject's kind.")
    asserter = KeyedField("organisations", help_text="Who says so: key or name.")

    class Meta:
        model = Claim
        fields = "__all__"
        widgets = {
            "text": forms.Textarea({"rows": 2, "cols": 70}),
            "conditions": forms.Textarea({"rows": 2, "cols": 70}),
            "note": forms.Textarea({"rows": 2, "cols": 70}),
            "change_note": forms.Textarea({"rows": 2, "cols": 70}),
        }
        help_texts = {
            "text": "As the source states it: “3.35 TB/s”, “up to 700W”. The number is read from it.",
            "value": "Leave empty: it is read from the text, in the property's unit.",
        }

    def clean(self):
        cleaned = super().clean()
        subject, prop = cleaned.get("subject"), cleaned.get("property")
        if subject and prop and subject.kind != prop.subject_kind:
            self.add_error(
                "property",
                f"{prop.label} is a property of a {prop.subject_kind}, {subject} is a {subject.kind}.",
            )
        elif prop and not any(name in self.errors for name in [*NUMBERS, "text", "value_kind"]):
            try:
                cleaned |= figures(prop, cleaned["value_kind"], cleaned.get("text", ""), cleaned)
            except forms.ValidationError as error:
                self.add_error("text", error)
        return cleaned


class ReproductionForm(EntryForm):
    claim_number = forms.CharField(
        label="Claim", max_length=12, help_text="C-n of the published claim that was tried."
    )
    performer = KeyedField("organisations", help_text="The independent party: key or name.")

    class Meta:
        model = Reproduction
        fields = "__all__"
        widgets = {
            "text": forms.Textarea({"rows": 2, "cols": 70}),
            "conditions": forms.Textarea({"rows": 2, "cols": 70}),
            "change_note": forms.Textarea({"rows": 2, "cols": 70}),
        }
        help_texts = {
            "measured": "Leave empty: it is read from the text, in the unit of the claim's property."
        }

    def clean_claim_number(self):
        text = self.cleaned_data["claim_number"].strip().upper().removeprefix("C-")
        if not (text.isascii() and text.isdigit() and 0 < int(text) < 2**31):
            raise forms.ValidationError("Give the number of a published claim: C-1042.")
        self.claim = Claim.objects.published().filter(number=int(text)).select_related("property").first()
        if self.claim is None:
            raise forms.ValidationError(f"There is no published claim C-{int(text)}.")
        return int(text)

    def clean(self):
        cleaned = super().clean()
        claim = getattr(self, "claim", None)
        if claim and cleaned.get("text") and cleaned.get("measured") is None and claim.property.is_numeric:
            try:
                read = parse(cleaned["text"], claim.property.unit)
                cleaned["measured"] = read.number
            except QuantityError as error:
                self.add_error("text", str(error))
        return cleaned

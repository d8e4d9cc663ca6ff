"""The claim grid: one row a claim from one source. A wrong row is marked where it is wrong; nothing typed is lost."""

from django import forms

from registry.forms.claims import NUMBERS, figures
from registry.forms.directories import KeyedField, connect
from registry.models import Claim

MOST_ROWS = 60
# What makes a row one that is to be saved; the rest has defaults.
TYPED = ["subject", "property", "text", "locator", "quotation", "conditions", "derivation"]

PLACEHOLDERS = {
    "text": "3.35 TB/s",
    "locator": "page, table, row",
    "quotation": "the source's own words",
    "conditions": "conditions",
    "derivation": "derived how, if not stated",
}


class ClaimRowForm(forms.Form):
    subject = KeyedField("subjects", required=False)
    property = KeyedField("properties", required=False)
    value_kind = forms.ChoiceField(label="Kind", choices=Claim.ValueKind.choices, required=False)
    text = forms.CharField(label="As stated", required=False, max_length=600)
    bound = forms.ChoiceField(
        required=False, choices=[("", "as read"), *[(b, b) for b in Claim.Bound.values if b]]
    )
    locator = forms.CharField(required=False, max_length=200)
    quotation = forms.CharField(required=False, max_length=300)
    asserter = KeyedField("organisations", required=False)
    conditions = forms.CharField(required=False, max_length=500)
    derivation = forms.CharField(required=False, max_length=300)

    use_required_attribute = False

    def __init__(self, *args, directories, source, **kwargs):
        super().__init__(*args, **kwargs)
        connect(self, directories)
        self.source = source
        self.claim = None  # the claim the row would make, once it is right
        self.beside, self.flags = [], []
        self.fields["asserter"].widget.attrs["placeholder"] = (
            source.publisher.name if source.publisher else "required"
        )
        for name, field in self.fields.items():
            field.widget.attrs.setdefault("placeholder", PLACEHOLDERS.get(name, ""))
            field.widget.attrs["aria-label"] = f"{field.label or name.capitalize()}, row {self.row_number()}"

    def row_number(self):
        number = (self.prefix or "").rpartition("-")[2]
        return int(number) + 1 if number.isdigit() else ""

    def is_blank(self):
        return not any((self.data.get(self.add_prefix(name)) or "").strip() for name in TYPED)

    def clean(self):
        data = super().clean()
        if self.is_blank():
            return data
        for name in ("subject", "property", "locator"):
            if not data.get(name) and name not in self.errors:
                self.add_error(name, "Required.")
        if data.get("locator") and not any(map(str.isalnum, data["locator"])):
            self.add_error("locator", "Say where in the source it stands.")
        asserter = data.get("asserter") or (self.source.publisher if "asserter" not in self.errors else None)
        if asserter is None and "asserter" not in self.errors:
            self.add_error("asserter", "This source names no publisher: say who asserts it.")
        data["asserter"] = asserter
        data["value_kind"] = data.get("value_kind") or Claim.ValueKind.VALUE
        self._read(data)
        return data

    def _read(self, data):
        """Reads the text in the property's unit."""
        subject, prop, kind = data.get("subject"), data.get("property"), data["value_kind"]
        if (
            kind == Claim.ValueKind.VALUE
            and not any(map(str.isalnum, data.get("text", "")))
            and "text" not in self.errors
        ):
            self.add_error("text", "Give the value as the source states it, or another kind.")
        if subject and prop and subject.kind != prop.subject_kind:
            self.add_error(
                "property",
                f"{prop.label} is a property of a {prop.subject_kind}; {subject} is a {subject.kind}.",
            )
        if self.errors or prop is None:
            return
        typed = {"bound": data["bound"]} if kind == Claim.ValueKind.VALUE else None
        try:
            data |= figures(prop, kind, data["text"], typed)
        except forms.ValidationError as error:
            self.add_error("text", error)
            return
        self.claim = Claim(**self.content())

    def content(self):
        """The fields of the claim an action is to draft."""
        names = [
            "subject",
            "property",
            "asserter",
            "value_kind",
            "text",
            *NUMBERS,
            "bound",
            "conditions",
            "derivation",
        ]
        return {name: self.cleaned_data[name] for name in names}


class _Rows(forms.BaseFormSet):
    @property
    def filled(self):
        return [form for form in self.forms if not form.is_blank()]

    def add_fields(self, form, index):
        """No further fields: rows are not deleted but emptied."""


def subject_as_above(post, prefix):
    """A copy of what was posted in which a row without a subject has the one of the row above."""
    filled = post.copy()
    try:
        rows = min(int(post.get(f"{prefix}-TOTAL_FORMS", 0)), MOST_ROWS)
    except ValueError:
        rows = 0
    above = ""
    for row in range(rows):
        name = f"{prefix}-{row}-subject"
        if (filled.get(name) or "").strip():
            above = filled[name]
        elif above and (filled.get(f"{prefix}-{row}-property") or "").strip():
            filled[name] = above
    return filled


def claim_rows(source, directories, post=None, rows=12):
    """The formset; unbound with `rows` empty ones, or of what was posted."""
    formset = forms.formset_factory(
        ClaimRowForm, formset=_Rows, extra=rows, max_num=MOST_ROWS, absolute_max=MOST_ROWS, validate_max=True
    )
    data = subject_as_above(post, "rows") if post is not None else None
    return formset(data, prefix="rows", form_kwargs={"source": source, "directories": directories})


class GridForm(forms.Form):
    """What is said once for all rows."""

    note = forms.CharField(
        label="Note to the reviewer",
        required=False,
        max_length=1000,
        widget=forms.Textarea({"rows": 2, "cols": 70}),
        help_text="Needed to submit.",
    )

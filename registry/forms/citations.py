"""Rows below an entry: the passages it cites and the other subjects it needs."""

from django import forms

from registry.forms.directories import Directories, KeyedField, connect


class ChildFormSet(forms.BaseInlineFormSet):
    """Rows whose tick for taking them out has a name, too."""

    def add_fields(self, form, index):
        super().add_fields(form, index)
        if index is not None and "DELETE" in form.fields:
            form.fields["DELETE"].widget.attrs["aria-label"] = f"Take out row {index + 1}"


class ChildForm(forms.ModelForm):
    def __init__(self, *args, directories=None, **kwargs):
        super().__init__(*args, **kwargs)
        connect(self, directories or Directories())
        number = (self.prefix or "").rpartition("-")[2]
        row = f", row {int(number) + 1}" if number.isdigit() else ""
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{field.label or name.capitalize()}{row}"


class CitationForm(ChildForm):
    """A passage by its source, its place and its words. Changing one cites another passage; passages never change."""

    source = KeyedField("sources")
    locator = forms.CharField(max_length=200, help_text="Page, section, table, row or field.")
    quotation = forms.CharField(
        max_length=300,
        required=False,
        widget=forms.Textarea({"rows": 2, "cols": 50}),
        help_text="The source's own words, at most 300 characters; blank when put in ours.",
    )

    class Meta:
        fields = ["stance"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            passage = self.instance.passage
            self.initial |= {
                "source": passage.source_id,
                "locator": passage.locator,
                "quotation": passage.quotation,
            }

    def clean_locator(self):
        locator = self.cleaned_data["locator"]
        if not any(character.isalnum() for character in locator):
            raise forms.ValidationError("A passage says where in the source it stands.")
        return locator


class ContextForm(ChildForm):
    subject = KeyedField("subjects")

    class Meta:
        fields = ["subject", "role"]

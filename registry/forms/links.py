"""What editors say when they decide about a link. Each form carries what the editor had before them."""

import json

from django import forms

from registry.forms.records import says_something


class DecisionForm(forms.Form):
    """`shown` holds the facts the decision is about, as the page showed them."""

    shown = forms.CharField(required=False, widget=forms.HiddenInput({"id": False}))

    def __init__(self, data=None, *, facts=None):
        # Two of them stand on one page.
        super().__init__(data, auto_id=f"id_{type(self).__name__}_%s", initial={"shown": json.dumps(facts)})

    def clean_shown(self):
        """The facts as a mapping; one that fits nothing where the form carried none."""
        try:
            facts = json.loads(self.cleaned_data["shown"])
        except (ValueError, RecursionError):
            return {}
        return facts if isinstance(facts, dict) else {}

    def clean_note(self):
        note = self.cleaned_data["note"]
        if not says_something(note):
            raise forms.ValidationError("Say it in words: signs alone are no note.")
        return note


def _note(label, help_text, longest):
    widget = forms.Textarea({"rows": 3, "cols": 70})
    return forms.CharField(label=label, help_text=help_text, max_length=longest, widget=widget)


class AddressMovedForm(DecisionForm):
    note = _note("Public note", "Readers see it under Corrections: who moved the page, and where to.", 1000)


class PageIsFineForm(DecisionForm):
    note = _note("What you saw on the page", "Kept for ever in the history of looks.", 300)

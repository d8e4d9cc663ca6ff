"""What people say when an entry takes a step. Each form is one page of the admin."""

from django import forms

from registry.models.entry import Entry


def _said(label, help_text):
    return forms.CharField(
        label=label, help_text=help_text, max_length=1000, widget=forms.Textarea({"rows": 3, "cols": 70})
    )


class SubmitForm(forms.Form):
    note = _said("Note to the reviewer", "What to look at.")


class ReturnForm(forms.Form):
    reason = _said("Reason", "The author reads it.")


class PublishForm(forms.Form):
    seen = forms.CharField(required=False, widget=forms.HiddenInput, max_length=60)


class CorrectForm(forms.Form):
    kind = forms.ChoiceField(
        label="Kind of change",
        choices=[(kind.value, kind.label) for kind in Entry.ChangeKind if kind != Entry.ChangeKind.FIRST],
        widget=forms.RadioSelect,
    )
    note = _said("Public note", "Readers see it under Corrections: what changed and why.")


class WithdrawForm(forms.Form):
    reason = _said("Public reason", "Readers see it where the entry was.")


class DiscardForm(forms.Form):
    pass

"""What editors' browsers do: log in, open a change form, send it back."""

from django.forms import NullBooleanField
from django.test import Client


def desk(person, **options):
    """A client logged in as that person, who is `client.person`."""
    client = Client(**options)
    client.force_login(person)
    client.person = person
    return client


def sent_back(response):
    """What a browser would post from the change form of a response: every field of the form and of its formsets."""
    formsets = [inline.formset for inline in response.context["inline_admin_formsets"]]
    forms = [response.context["adminform"].form]
    for formset in formsets:
        forms += [formset.management_form, *formset.forms]
    return {field.html_name: _text(field) for form in forms for field in form if _text(field) is not None}


def _text(field):
    value = field.value()
    if isinstance(value, bool) and isinstance(field.field, NullBooleanField):
        return str(value).lower()
    if isinstance(value, bool):
        return "on" if value else None
    if value is None:
        return None
    shown = field.field.prepare_value(value)
    return shown if isinstance(shown, list) else str(shown)

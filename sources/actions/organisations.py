"""The only writers of organisations. Who changed what is kept by the database."""

from sources.actions.acting import acting, retried
from sources.models import Organisation


@retried
def add_organisation(*, by=None, **fields):
    """A new organisation."""
    with acting(by):
        return Organisation.objects.create(**fields)


@retried
def change_organisation(organisation, changes, *, by, note=""):
    """Changes an organisation's name, kind or parent; its key is permanent."""
    with acting(by, note):
        fresh = Organisation.objects.select_for_update().get(pk=organisation.pk)
        for field, value in changes.items():
            setattr(fresh, field, value)
        if changes:
            fresh.save(update_fields=list(changes))
    return fresh

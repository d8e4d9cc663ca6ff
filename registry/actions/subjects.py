"""The only writers of subjects, their details and properties. Who changed what is kept by the database."""

from registry.models import GPU, Checkpoint, Property, Runtime, Subject
from registry.models.subject import SubjectKind
from sources.actions.acting import acting, retried

DETAILS = {SubjectKind.GPU: GPU, SubjectKind.CHECKPOINT: Checkpoint, SubjectKind.RUNTIME: Runtime}


@retried
def add_subject(*, by, detail=None, **fields):
    """A new subject with the details its kind has (GPU, Checkpoint, Runtime)."""
    with acting(by):
        subject = Subject.objects.create(**fields)
        if subject.kind in DETAILS:
            DETAILS[subject.kind].objects.create(subject=subject, **(detail or {}))
    return subject


@retried
def change_subject(subject, changes, *, by, detail=None, note=""):
    """Changes a subject. A renamed slug leaves its old address leading here."""
    with acting(by, note):
        fresh = Subject.objects.select_for_update().get(pk=subject.pk)
        _changed(fresh, changes)
        if detail and fresh.kind in DETAILS:
            DETAILS[fresh.kind].objects.update_or_create(subject=fresh, defaults=detail)
    return fresh


@retried
def add_property(*, by, **fields):
    """A new property that claims can be made of."""
    with acting(by):
        return Property.objects.create(**fields)


@retried
def change_property(known, changes, *, by, note=""):
    """Changes a property's words, order or unit; its key and kind are permanent."""
    with acting(by, note):
        fresh = Property.objects.select_for_update().get(pk=known.pk)
        _changed(fresh, changes)
    return fresh


def _changed(record, changes):
    for field, value in changes.items():
        setattr(record, field, value)
    if changes:
        record.save(update_fields=list(changes))

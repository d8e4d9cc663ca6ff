from django.db.models import BooleanField, Func


def seen_by_readers(record):
    """True once something published rests on an organisation, subject or property, so that changing it takes a note.

    The database's own judgement (registry/rules/10_reference.sql), asked before it has to refuse.
    """
    judged = Func("pk", function=f"{record._meta.model_name}_seen", output_field=BooleanField())
    rows = type(record)._base_manager.filter(pk=record.pk)
    return bool(rows.annotate(seen=judged).values_list("seen", flat=True).first())

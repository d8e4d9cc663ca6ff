"""What a refusal of the database means, in a sentence that names the remedy."""

from django.apps import apps

# Rules that refuse through the SQL function refuse() bring their own sentence, which names the thing and the value;
# these are for whoever sees only the name.
RULES = {
    "benchmark_measures_something": "A benchmark record gives at least one measurement: import it from its result file.",
    "benchmark_subject_of_kind": "A record's hardware is a GPU, its checkpoint a checkpoint, its runtime a runtime.",
    "metric_permanent": "A metric's key means one formula for ever: give the new definition a key of its own.",
    "append_only": "This history is kept for ever: add a new row instead of changing or deleting one.",
    "detail_is_kept": "Readers have seen these details, so they stay: change them, with a note.",
    "entry_born_draft": "An entry is born a draft: cite its source, submit it, let a second person publish it.",
    "entry_frozen": "What is not a draft cannot change: correct it, which makes a new revision.",
    "entry_needs_attributed_source": (
        "An entry is published only with a supporting source that names its publisher and has been verified."
    ),
    "entry_transition": "An entry goes from draft to submitted to published, and ends superseded or withdrawn.",
    "id_given_once": "The database gives every new record a number of its own: leave the id out.",
    "key_is_permanent": "Keys, numbers and identities are permanent: make a new record.",
    "needed_is_kept": "Other records refer to this one, so it stays: correct it, or add another and use that one.",
    "no_truncate": "What was published stays: withdraw entries one by one.",
    "passage_immutable": "A passage cannot change: add another and cite that one.",
    "publish_in_read_committed": "Publish in a read committed transaction.",
    "record_date_in_order": "A record date is not after today and not before the revision it follows.",
    "reference_change_noted": (
        "What published entries rest on changes only with a note, which readers see under /corrections."
    ),
    "reproduction_independent": "Only a party that made neither the subject nor the claim can reproduce a figure.",
    "reproduction_of_known_claim": "A reproduction names a published claim.",
    "revision_keeps_subject": "Every revision is about the same thing: withdraw this one and make a new entry.",
    "source_attribution_permanent": "A source keeps a publisher once it has one: name the right one instead.",
    "source_date_not_in_future": "A source cannot bear a date that has not come yet: give the day it was published.",
    "source_change_noted": "A verified source changes only with a note, which readers see under /corrections.",
    "subject_slug_once": "This address leads to another subject: choose another slug.",
    "verification_after_publication": "A source cannot have been read before the day it was published.",
    "verification_not_in_future": "A source cannot have been read on a day that has not come yet.",
    "verified_on_from_verifications": "The verified date comes from verifications: record one.",
    "claim_property_of_kind": "This property belongs to another kind of subject: choose one of the subject's kind.",
    "claim_subject_of_kind": "This property belongs to another kind of subject: choose one of the subject's kind.",
}

# Foreign keys of two columns, see migration 0002.
COMPOSITE_KEYS = ["claim_property_of_kind", "claim_subject_of_kind"]

# SQLSTATEs of what has no name of ours.
FOREIGN_KEY = "23503"
NOT_NULL = "23502"


def declared():
    """Constraint name → its sentence, for every constraint and unique field of our models."""
    sentences = {}
    for model in apps.get_models():
        if model._meta.app_label in ("sources", "registry"):
            sentences |= {each.name: each.violation_error_message for each in model._meta.constraints}
            # PostgreSQL's own names for a column's UNIQUE.
            sentences |= {
                f"{model._meta.db_table}_{field.column}_key": field.error_messages["unique"]
                for field in model._meta.local_fields
                if field.unique and not field.primary_key
            }
    return sentences


def rule_of(error):
    """The name of the rule that refused, or an empty string."""
    diagnosis = getattr(error.__cause__, "diag", None)
    return (diagnosis and diagnosis.constraint_name) or ""


def sentence(error):
    """What an IntegrityError means and what to do about it, for people; never the database's own dump."""
    name = rule_of(error)
    diagnosis = getattr(error.__cause__, "diag", None)
    if name in RULES and diagnosis.message_hint:
        return f"{diagnosis.message_primary} {diagnosis.message_hint}"
    if _still_needed(diagnosis):
        return "Other records rest on this one, so it cannot be deleted."
    known = {**declared(), **RULES}
    if name in known:
        return str(known[name])
    if diagnosis and diagnosis.sqlstate == FOREIGN_KEY:
        return "It refers to a record that does not exist: choose one that does."
    if diagnosis and diagnosis.sqlstate == NOT_NULL:
        return f"The {_words(diagnosis.column_name)} of a {_words(diagnosis.table_name)} is missing: give it."
    return f"The database refused this ({name or type(error).__name__})."


def _still_needed(diagnosis):
    """True where a foreign key refused because of rows that refer to this one, rather than one that it refers to."""
    return bool(
        diagnosis
        and diagnosis.sqlstate == FOREIGN_KEY
        and "is still referenced" in (diagnosis.message_detail or "")
    )


def _words(name):
    """A column or table as people say it: registry_claim is a claim, asserter_id an asserter."""
    return (
        (name or "").removeprefix("registry_").removeprefix("sources_").removesuffix("_id").replace("_", " ")
    )


class BadParameters(Exception):
    """The address of a page has parameters it cannot follow. `problems` are sentences naming each, and the remedy."""

    def __init__(self, problems):
        self.problems = problems
        super().__init__(" ".join(problems))

"""The only writers of sources, passages and verifications."""

from sources.actions.acting import acting, retried
from sources.actions.link_rows import add_links, start_anew
from sources.addresses import normalise
from sources.models import Passage, Source, Verification


def existing(url, version=""):
    """The source that an address already leads to in this version, or None."""
    address = normalise(url)
    return Source.objects.filter(work_id=address.work_id, version=version or address.version).first()


@retried
def add_source(*, url, by=None, **fields):
    """A new source at a normalised address, with its link due to be looked at.

    Raises AddressError for an address that is none, IntegrityError (source_identity) for a work that is known.
    """
    with acting(by):
        source = Source.objects.create(**_addressed(url, fields), **fields)
        add_links([source])
    return source


def _addressed(url, fields):
    address = normalise(url)
    return {
        "url": address.url,
        "work_id": address.work_id,
        "version": fields.pop("version", "") or address.version,
        "link_kind": fields.pop("link_kind", "") or address.link_kind,
    }


@retried
def change_source(source, changes, *, note, by):
    """Changes a source's own fields. Once it is verified the note is required; readers see it under /corrections."""
    with acting(by, note):
        fresh = Source.objects.select_for_update().get(pk=source.pk)
        moved = "url" in changes and changes["url"] != fresh.url
        if "url" in changes:
            changes = {**changes, **_addressed(changes["url"], dict(changes))}
        for field, value in changes.items():
            setattr(fresh, field, value)
        fresh.save(update_fields=list(changes))
        if moved:
            start_anew(fresh)
    return fresh


@retried
def record_verification(
    source, *, on, representation, outcome=Verification.Outcome.CONFIRMED, note="", by=None
):
    """Records that a person read the source; the database moves its verified date."""
    with acting(by):
        verification = Verification.objects.create(
            source=source,
            verified_on=on,
            representation=representation,
            outcome=outcome,
            note=note,
            verified_by=by,
        )
    source.refresh_from_db(fields=["verified_on", "verified_representation", "read_directly"])
    return verification


def passage(source, locator, quotation=""):
    """The passage of these words at this place, made if it is new."""
    return Passage.objects.get_or_create(source=source, locator=locator.strip(), quotation=quotation.strip())[
        0
    ]

"""One entry at each step of its life, for tests that try what may be done to it."""

from types import SimpleNamespace

from tests.factories.entries import claim, reproduction, revision, withdrawn
from tests.factories.people import user
from tests.factories.references import organisation, passage, property_, source, subject


def world():
    """A claim of each status (superseded: by newest), a reproduction of newest, and what surrounds them."""
    author, reviewer = user(), user("reviewer")
    gpu, figure = subject(), property_()
    about = {"subject": gpu, "property": figure, "by": author, "reviewer": reviewer}
    superseded = claim(**about)
    newest = revision(superseded, by=author, text="1980 TFLOPS", value="1980")
    superseded.refresh_from_db()
    return SimpleNamespace(
        author=author,
        reviewer=reviewer,
        subject=gpu,
        property=figure,
        draft=claim("draft", **about),
        submitted=claim("submitted", **about),
        published=claim(**about),
        superseded=superseded,
        newest=newest,
        withdrawn=withdrawn(claim(**about)),
        reproduction=reproduction(newest, by=author, reviewer=reviewer),
        organisation=organisation(),
        source=source(),
        lead=source(verified=False),
        passage=passage(),
        checkpoint=subject("checkpoint"),
        checkpoint_property=property_("checkpoint"),
    )

"""From a draft to a correction, as two people click through it."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from registry.models import Claim
from registry.reasoning.flags import flags_of
from tests import factories
from tests.admin.desks import desk


def step(entry, name):
    return reverse(f"admin:registry_{entry._meta.model_name}_{name}", args=[entry.pk])


def seen(entry):
    return {"seen": entry.edited_at.isoformat()}


def test_a_draft_is_submitted_with_a_note(author):
    draft = factories.claim("draft", by=author.person)
    author.post(step(draft, "submit"), {"note": "Compare the footnote."})
    draft.refresh_from_db()
    assert (draft.status, draft.submit_note) == ("submitted", "Compare the footnote.")


def test_a_draft_is_not_submitted_without_a_note(author):
    draft = factories.claim("draft", by=author.person)
    answer = author.post(step(draft, "submit"), {"note": "  "})
    draft.refresh_from_db()
    assert draft.status == "draft"
    assert "This field is required." in answer.content.decode()


def test_the_review_screen_shows_difference_cited_words_and_flags(reviewer):
    cited = [(factories.passage(quotation="1,979 teraFLOPS with sparsity", locator="Table 3"), "supports")]
    first = factories.claim(cited=cited)
    correction = factories.revision(
        first, "submitted", note="The source says 1,989.", text="1989 TFLOPS", value=1989
    )
    page = reviewer.get(step(correction, "review")).content.decode()
    for words in [
        "The difference to C-",
        "1979 TFLOPS",
        "1989 TFLOPS",
        "changed",
        "1,979 teraFLOPS with sparsity",
        "Table 3",
        "Verified: ",
        "The source says 1,989.",
        "Manufacturer figure, not reproduced",
    ]:
        assert words in page


def test_a_second_person_publishes(reviewer):
    entry = factories.claim("submitted")
    answer = reviewer.post(step(entry, "publish"), seen(entry), follow=True)
    entry.refresh_from_db()
    assert (entry.status, entry.published_by, entry.self_reviewed) == ("published", reviewer.person, False)
    assert f"{entry.name}: " in answer.content.decode()


def test_after_publishing_the_next_entry_waiting_comes_up(reviewer):
    first, second = factories.claim("submitted"), factories.claim("submitted")
    answer = reviewer.post(step(first, "publish"), seen(first))
    assert answer.url == step(second, "review")


def test_publishing_what_was_edited_since_it_was_read_is_refused(reviewer):
    entry = factories.claim("submitted")
    answer = reviewer.post(step(entry, "publish"), {"seen": "2020-01-01T00:00:00+00:00"})
    entry.refresh_from_db()
    assert (answer.status_code, entry.status) == (409, "submitted")
    assert "meanwhile. Nothing was saved." in answer.content.decode()


def test_publishing_without_a_verified_source_says_what_to_do(reviewer):
    unverified = factories.passage(factories.source(verified=False))
    entry = factories.claim("submitted", cited=[(unverified, "supports")])
    answer = reviewer.post(step(entry, "publish"), seen(entry))
    assert answer.status_code == 409
    assert "Open a source, confirm the passage, record the verification." in answer.content.decode()


def test_a_reviewer_does_not_publish_what_they_wrote(reviewer):
    entry = factories.claim("submitted", by=reviewer.person)
    answer = reviewer.post(step(entry, "publish"), seen(entry))
    entry.refresh_from_db()
    assert entry.status == "submitted"
    assert "ask a second person to review it" in answer.content.decode()


def test_with_the_permission_it_is_published_and_shown_as_self_reviewed(reviewer):
    reviewer.person.user_permissions.add(Permission.objects.get(codename="publish_own_claim"))
    entry = factories.claim("submitted", by=reviewer.person)
    assert "readers will see “Self-reviewed”" in reviewer.get(step(entry, "review")).content.decode()
    reviewer.post(step(entry, "publish"), seen(entry))
    entry.refresh_from_db()
    assert (entry.status, entry.self_reviewed) == ("published", True)


@pytest.mark.parametrize("name", ["publish", "withdraw"])
def test_an_author_neither_publishes_nor_withdraws(author, name):
    entry = factories.claim("submitted" if name == "publish" else "published")
    answer = author.post(step(entry, name), {**seen(entry), "reason": "Because."})
    before = entry.status
    entry.refresh_from_db()
    assert (answer.status_code, entry.status) == (403, before)


def test_a_reviewer_returns_an_entry_with_a_reason(reviewer):
    entry = factories.claim("submitted")
    reviewer.post(step(entry, "return"), {"reason": "The table says per system."})
    entry.refresh_from_db()
    assert (entry.status, entry.returned_reason) == ("draft", "The table says per system.")
    page = desk(entry.created_by).get(step(entry, "change")).content.decode()
    assert "The table says per system." in page


def test_a_return_without_a_reason_is_asked_for_it(reviewer):
    entry = factories.claim("submitted")
    answer = reviewer.post(step(entry, "return"), {"reason": ""})
    entry.refresh_from_db()
    assert (answer.status_code, entry.status) == (200, "submitted")


def test_an_author_takes_their_own_submission_back(author):
    entry = factories.claim("submitted", by=author.person)
    author.post(step(entry, "return"), {"reason": "One more look."})
    entry.refresh_from_db()
    assert entry.status == "draft"


def test_a_correction_opens_a_draft_and_leaves_the_published_revision(author):
    published = factories.claim()
    answer = author.post(step(published, "correct"), {"kind": "correction", "note": "A digit."})
    draft = Claim.objects.get(lineage=published.lineage, revision=2)
    assert answer.url == step(draft, "change")
    published.refresh_from_db()
    assert (published.status, draft.status, draft.change_note) == ("published", "draft", "A digit.")


def test_a_second_correction_of_the_same_entry_is_refused_with_a_sentence(author):
    published = factories.claim()
    factories.revision(published, "draft")
    answer = author.post(step(published, "correct"), {"kind": "update", "note": "Again."})
    assert answer.status_code == 409
    assert "edit that one" in answer.content.decode() or "does not follow" in answer.content.decode()


def test_a_reviewer_withdraws_with_a_reason(reviewer):
    entry = factories.claim()
    reviewer.post(step(entry, "withdraw"), {"reason": "The source took it back."})
    entry.refresh_from_db()
    assert (entry.status, entry.end_note) == ("withdrawn", "The source took it back.")


def test_a_draft_is_discarded(author):
    draft = factories.claim("draft", by=author.person)
    author.post(step(draft, "discard"))
    assert not Claim.objects.filter(pk=draft.pk).exists()


def test_a_published_claim_is_not_discarded(administrator):
    entry = factories.claim()
    administrator.post(step(entry, "discard"))
    assert Claim.objects.filter(pk=entry.pk).exists()


def test_a_step_that_is_not_possible_any_more_says_so(reviewer):
    entry = factories.claim()
    page = reviewer.post(step(entry, "publish"), seen(entry), follow=True).content.decode()
    assert "“Publish” is not possible now" in page


def test_a_reproduction_goes_the_same_way(author, reviewer):
    entry = factories.reproduction(factories.claim(), "draft", by=author.person)
    author.post(step(entry, "submit"), {"note": "Run three times."})
    entry.refresh_from_db()
    assert "Run three times." in reviewer.get(step(entry, "review")).content.decode()
    reviewer.post(step(entry, "publish"), seen(entry))
    entry.refresh_from_db()
    assert entry.status == "published"


def test_a_maker_cannot_reproduce_its_own_figure_and_the_form_says_why(author):
    claim = factories.claim()
    source = factories.source()
    data = {
        "claim_number": f"C-{claim.number}",
        "performer": claim.asserter.key,
        "outcome": "reproduced",
        "text": "1979 TFLOPS",
        "citations-TOTAL_FORMS": "1",
        "citations-INITIAL_FORMS": "0",
        "citations-0-source": source.key,
        "citations-0-locator": "p. 1",
        "citations-0-stance": "supports",
    }
    answer = author.post("/admin/registry/reproduction/add/", data)
    assert answer.status_code == 200
    assert "Only a party of its own can reproduce a figure" in answer.content.decode()


def test_the_flags_to_come_are_the_flags_that_come(reviewer):
    subject, prop = factories.subject(), factories.property_()
    factories.claim(subject=subject, property=prop, value=1, text="1 TFLOPS")
    second_hand = factories.passage(factories.source(representation="summary"))
    entry = factories.claim(
        "submitted",
        subject=subject,
        property=prop,
        value=2,
        text="2 TFLOPS",
        cited=[(second_hand, "supports")],
    )
    foretold = [flag.words for flag in reviewer.get(step(entry, "review")).context["flags"]]
    reviewer.post(step(entry, "publish"), seen(entry))
    assert foretold == [flag.words for flag in flags_of(Claim.objects.with_flags().get(pk=entry.pk))]
    assert len(foretold) == 3

"""Two connections at once: never a published entry without support, whoever comes first."""

import random
import threading
import time

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from registry.actions import log
from registry.actions.lifecycle import publish, withdraw
from registry.models import Claim, ClaimCitation, Publication
from tests import factories
from tests.refusals import sql

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

ROUNDS = 60
LONGEST = 60  # seconds for all rounds of a race


def at_once(*actions):
    """Runs each in a thread and connection of its own, released together; gives back what each raised, or None."""
    barrier = threading.Barrier(len(actions))
    raised = [None] * len(actions)

    def run(place, action):
        try:
            barrier.wait()
            time.sleep(random.random() * 0.004)
            action()
        except (IntegrityError, OperationalError) as error:
            raised[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads), "A race did not end."
    return raised


def unsupported():
    return Claim.objects.published().exclude(
        pk__in=ClaimCitation.objects.filter(
            stance="supports",
            passage__source__publisher__isnull=False,
            passage__source__verifications__outcome="confirmed",
        ).values("entry")
    )


def publishing(claim, reviewer):
    def act():
        with transaction.atomic():
            Claim.objects.filter(pk=claim.pk).update(status="published", published_by=reviewer)
            time.sleep(random.random() * 0.002)

    return act


def unciting(claim, statement="DELETE FROM registry_claimcitation WHERE entry_id = %s"):
    """Returns the entry to its author and takes its citation away, as a hasty editor would."""

    def act():
        with transaction.atomic():
            sql("UPDATE registry_claim SET status = 'draft', returned_reason = 'x' WHERE id = %s", claim.pk)
            time.sleep(random.random() * 0.002)
            sql(statement, claim.pk)

    return act


def rounds():
    """Numbers of rounds, for as long as a race may take."""
    end = time.monotonic() + LONGEST
    for number in range(ROUNDS):
        if time.monotonic() > end:
            return
        yield number


UNCITING = {
    "deleting the citation": "DELETE FROM registry_claimcitation WHERE entry_id = %s",
    "turning its stance": "UPDATE registry_claimcitation SET stance = 'contradicts' WHERE entry_id = %s",
}


@pytest.mark.parametrize("how", UNCITING)
def test_publishing_against_unciting(how):
    reviewer, won = factories.user("reviewer"), set()
    for _ in rounds():
        claim = factories.claim("submitted")
        raised = at_once(publishing(claim, reviewer), unciting(claim, UNCITING[how]))
        claim.refresh_from_db()
        won.add(claim.status)
        assert raised.count(None) == 1, raised
        assert not unsupported().exists()
    assert won == {"published", "draft"}, "One side always won: the race was none."
    assert log.verify().holds


def test_deleting_both_citations_against_publishing():
    """Each deletes one of two citations and sees the other one still there."""
    reviewer = factories.user("reviewer")
    for _ in rounds():
        cited = [(factories.passage(), "supports"), (factories.passage(), "supports")]
        claim = factories.claim("draft", cited=cited)
        first, second = claim.citations.all()

        def submit_and_publish(claim=claim):
            with transaction.atomic():
                Claim.objects.filter(pk=claim.pk).update(status="submitted")
                Claim.objects.filter(pk=claim.pk).update(status="published", published_by=reviewer)

        at_once(
            lambda pk=first.pk: sql("DELETE FROM registry_claimcitation WHERE id = %s", pk),
            lambda pk=second.pk: sql("DELETE FROM registry_claimcitation WHERE id = %s", pk),
            submit_and_publish,
        )
        assert not unsupported().exists()


def test_publishing_against_attribution_and_verification():
    """The source is completed while its claim is published: either it was in time, or the claim waits."""
    reviewer = factories.user("reviewer")
    for number in rounds():
        source = factories.source(verified=bool(number % 2), publisher=None)
        claim = factories.claim("submitted", cited=[(factories.passage(source), "supports")])
        publisher = factories.organisation()

        def complete(source=source, publisher=publisher, verify=not number % 2):
            with transaction.atomic():
                sql("SELECT set_config('registry.change_note', 'Found.', true)")
                sql("UPDATE sources_source SET publisher_id = %s WHERE id = %s", publisher.pk, source.pk)
                if verify:
                    source.verifications.create(verified_on=factories.today(), representation="full text")

        at_once(publishing(claim, reviewer), complete)
        assert not unsupported().exists()


def test_publishing_at_once_gives_every_number_once():
    reviewer = factories.user("reviewer")
    claims = [factories.claim("submitted") for _ in range(24)]
    for start in range(0, 24, 4):
        raised = at_once(*[publishing(claim, reviewer) for claim in claims[start : start + 4]])
        assert raised == [None] * 4
    assert sorted(Claim.objects.values_list("number", flat=True)) == list(range(1, 25))
    assert log.verify().holds


def test_publishing_one_entry_twice():
    reviewer = factories.user("reviewer")
    for _ in range(15):
        claim = factories.claim("submitted")
        at_once(*[lambda claim=claim: publish(claim, by=reviewer) for _ in range(2)])
        assert Publication.objects.filter(number=claim.__class__.objects.get(pk=claim.pk).number).count() == 1


def test_withdrawing_against_correcting():
    """Both end the same revision: one of them wins, and readers see one revision or none."""
    reviewer = factories.user("reviewer")
    for _ in range(15):
        claim = factories.claim()
        correction = factories.revision(claim, "submitted")
        at_once(
            lambda claim=claim: withdraw(claim, by=reviewer, reason="Wrong."),
            publishing(correction, reviewer),
        )
        standing = Claim.objects.filter(lineage=claim.lineage, status="published").count()
        assert standing <= 1
    assert log.verify().holds


def test_verifying_and_publishing_in_opposite_order_does_not_deadlock():
    """Locks come in one order: entry, head of the log, state."""
    reviewer = factories.user("reviewer")
    for _ in range(15):
        source, claim = factories.source(), factories.claim("submitted")
        other = factories.claim("submitted")

        def verify_then_publish(source=source, claim=claim):
            with transaction.atomic():
                source.verifications.create(
                    verified_on=factories.today(), representation="excerpt", note=str(claim.pk)
                )
                time.sleep(0.002)
                Claim.objects.filter(pk=claim.pk).update(status="published", published_by=reviewer)

        assert at_once(verify_then_publish, publishing(other, reviewer)) == [None, None]


def test_a_snapshot_that_unpublishes_the_past_is_refused(web_sql):
    """Taking a citation away in a transaction that began before the publication."""
    claim = factories.claim("submitted")
    web_sql.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    web_sql.execute("SELECT status FROM registry_claim WHERE id = %s", [claim.pk])
    publish(claim, by=factories.user("reviewer"))
    with pytest.raises(psycopg.errors.SerializationFailure):
        web_sql.execute("DELETE FROM registry_claimcitation WHERE entry_id = %s", [claim.pk])

"""Publishes claims in bulk with the rules on and with every trigger of ours off, and prints the ratio.

Both take the same four steps as the web role, through the ORM, in one transaction on one server: INSERT drafts, INSERT
citations, UPDATE to submitted, UPDATE to published. With triggers off nobody gives numbers and dates, so the last
UPDATE sets them itself, and no log is written. Each round is rolled back. The ratio is that of the quickest rounds, on
which other work of the machine weighs least; a median would measure that work, too.
"""

import sys
import time

from django.db import connection, connections, transaction

from registry.models import Claim, ClaimCitation
from tests import factories

TABLES = ["registry_claim", "registry_claimcitation"]
LIMIT = 2.0


def main(claims=10_000, rounds=5):
    """Prints the times of each step in milliseconds; 1 if the ratio is above the limit."""
    ground = prepare()
    times = {True: [], False: []}
    for _ in range(rounds):
        for rules in (True, False):
            times[rules].append(one_round(claims, ground, rules))
    return report(claims, times)


def prepare():
    """Twenty subjects, fifty properties and forty passages: a claim of each pair, in turn."""
    author, reviewer = factories.user(), factories.user("reviewer")
    subjects = [factories.subject() for _ in range(20)]
    properties = [factories.property_() for _ in range(50)]
    passages = [factories.passage() for _ in range(40)]
    return author, reviewer, subjects, properties, passages


def one_round(count, ground, rules):
    """Seconds of each step."""
    switch("ENABLE" if rules else "DISABLE")
    author, reviewer, subjects, properties, passages = ground
    claims = [
        Claim(
            subject=subjects[n % 20],
            property=properties[n % 50],
            subject_kind="gpu",
            asserter=subjects[n % 20].maker,
            text=f"{n} TFLOPS",
            value=n,
            conditions=f"batch {n}",
            created_by=author,
            edited_by=author,
        )
        for n in range(count)
    ]
    citations = [ClaimCitation(entry=claim, passage=passages[n % 40]) for n, claim in enumerate(claims)]
    steps = {
        "insert drafts": lambda: Claim.objects.bulk_create(claims, batch_size=1000),
        "insert citations": lambda: ClaimCitation.objects.bulk_create(citations, batch_size=1000),
        "submit": lambda: Claim.objects.filter(status="draft").update(
            status="submitted", submitted_by=author, submit_note="Please read."
        ),
        "publish": lambda: publish(reviewer, rules),
    }
    seconds = {}
    with transaction.atomic():
        for step, work in steps.items():
            begun = time.perf_counter()
            work()
            seconds[step] = time.perf_counter() - begun
        assert Claim.objects.published().count() == count
        transaction.set_rollback(True)
    return seconds


def publish(reviewer, rules):
    """The step that the rules judge; without them it sets what they would have set."""
    submitted = Claim.objects.filter(status="submitted")
    if rules:
        submitted.update(status="published", published_by=reviewer)
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE registry_claim SET status = 'published', published_by_id = %s, published_at = now(),"
            " record_date = current_date, number = numbered.n"
            " FROM (SELECT id, row_number() OVER () AS n FROM registry_claim WHERE status = 'submitted') numbered"
            " WHERE numbered.id = registry_claim.id",
            [reviewer.pk],
        )


def switch(verb):
    """Triggers of ours on or off, and tables as tidy as at the start."""
    owner = connections["owner"]
    with owner.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"ALTER TABLE {table} {verb} TRIGGER USER")
            cursor.execute(f"VACUUM ANALYZE {table}")


def report(count, times):
    """Prints a line a step; 1 if the ratio of the whole is above the limit."""
    quickest = {rules: min(rounds, key=lambda steps: sum(steps.values())) for rules, rounds in times.items()}
    say = sys.stdout.write
    say(f"{count} claims, quickest of {len(times[True])} rounds, in milliseconds\n")
    say(f"{'step':18} {'rules on':>10} {'triggers off':>13} {'ratio':>6}\n")
    for step in [*quickest[True], "all"]:
        on, off = (
            sum(steps.values()) if step == "all" else steps[step]
            for steps in (quickest[True], quickest[False])
        )
        say(f"{step:18} {on * 1000:10.0f} {off * 1000:13.0f} {on / off:6.2f}\n")
    return int(on / off > LIMIT)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone

from sources.models.host import Host
from sources.standing import State

# A look whose worker died is taken up again; an address that kills its workers is left to a person after as many.
MOST_LOST_LEASES = 5

BROKEN = Q(state__in=[State.BROKEN, State.GONE])
WAITING = Q(state__in=[State.CHANGED, State.NEEDS_A_LOOK, State.UNREACHABLE])
MOVED = ~Q(moved_to="")
PARKED = Q(lost_leases__gte=MOST_LOST_LEASES)


class LinkQuerySet(models.QuerySet):
    def due(self):
        """Links whose next look is due, as far as the clock goes."""
        return self.filter(due_at__lte=Now(), lost_leases__lt=MOST_LOST_LEASES)

    def broken(self):
        """Links that several looks agree are dead."""
        return self.filter(BROKEN)

    def waiting_for_a_person(self):
        """Links that answer with something a robot cannot judge, or do not answer for weeks."""
        return self.filter(WAITING)

    def moved(self):
        """Links that answer for good at another address."""
        return self.filter(MOVED)

    def parked(self):
        """Links that no look ever came back from: the checker dies on them, and only a person asks for another."""
        return self.filter(PARKED)

    def beyond_robots(self):
        """Links that no robot can judge, which says nothing about their sources."""
        return self.filter(state__in=[State.UNCHECKABLE, State.REFUSED, State.NOT_CHECKED])

    def under_review(self):
        """Links of sources with a cited passage that changed or went away."""
        return self.filter(_under_review())

    def in_triage(self):
        """Everything an editor has to decide on, parked links too: those no look ever came back from."""
        return self.filter(BROKEN | WAITING | MOVED | PARKED | _under_review())


def _under_review():
    return Exists(PassageLook.objects.filter(passage__source=OuterRef("source"), review_since__isnull=False))


class Link(models.Model):
    """What robots know of a source's address. One a source; never moves the verified date.

    The first block is the standing (`sources.standing`), the second the queue, the third what the next look compares with.
    """

    source = models.OneToOneField("sources.Source", models.CASCADE, primary_key=True, related_name="link")
    state = models.CharField(
        max_length=30, blank=True, db_index=True, help_text="Blank: nothing is known yet."
    )
    since = models.DateTimeField(null=True, blank=True)
    last_good_at = models.DateTimeField(null=True, blank=True)
    moved_to = models.CharField(max_length=2000, blank=True)
    misses = ArrayField(models.DateTimeField(), default=list, blank=True)
    gone_misses = ArrayField(models.DateTimeField(), default=list, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    blocked = ArrayField(models.DateTimeField(), default=list, blank=True)

    host = models.ForeignKey(Host, models.PROTECT, related_name="links")
    due_at = models.DateTimeField(
        default=timezone.now, null=True, blank=True, help_text="Blank: not before a person asks for it."
    )
    lease_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    lost_leases = models.PositiveSmallIntegerField(default=0)

    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    validated_url = models.CharField(max_length=2000, blank=True)
    seen = models.JSONField(null=True, blank=True, help_text="What the last look that answered saw.")
    offered = models.JSONField(null=True, blank=True, help_text="What replaces it once a person accepts it.")
    accepted = models.JSONField(null=True, blank=True, help_text="The doubtful answer a person called fine.")

    last_check = models.ForeignKey("sources.LinkCheck", models.PROTECT, null=True, related_name="+")
    first_equal_look_at = models.DateTimeField(null=True, blank=True)
    last_equal_look_at = models.DateTimeField(null=True, blank=True)
    equal_looks = models.PositiveIntegerField(default=0)

    objects = LinkQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["host", "due_at"], name="link_turn"),
            models.Index(fields=["last_equal_look_at"], name="link_looked_at"),
        ]

    def __str__(self):
        return f"{self.source_id}: {self.state or 'not checked yet'}"


class LinkCheck(models.Model):
    """One row a change of a link's verdict, and one for each page a person called fine. Append-only.

    Looks that said the same again are counted on the link; the row of the next verdict keeps their number and last day.
    """

    source = models.ForeignKey("sources.Source", models.PROTECT, related_name="link_checks")
    checked_at = models.DateTimeField(default=timezone.now)
    verdict = models.CharField(max_length=20)
    reason = models.CharField(max_length=300)
    failure = models.CharField(max_length=30, blank=True, help_text="The kind of a failed look.")
    status = models.PositiveSmallIntegerField(null=True)
    final_url = models.CharField(max_length=2000, blank=True)
    hops = models.JSONField(default=list)
    content_type = models.CharField(max_length=100, blank=True)
    bytes_read = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    tls_until = models.DateTimeField(null=True, blank=True)
    notes = ArrayField(models.CharField(max_length=300), default=list, blank=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    looks_before = models.PositiveIntegerField(default=0, help_text="Looks with the verdict before this one.")
    last_before_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-checked_at", "-id"]

    def __str__(self):
        return f"{self.source_id}: {self.verdict} {self.checked_at:%Y-%m-%d}"


@dataclass(frozen=True)
class Series:
    """Looks in a row that said the same, or one decision of a person: then `looks` is 0 and `last_at` empty."""

    check: LinkCheck
    looks: int
    last_at: dt.datetime | None


def series_of(link, checks):
    """The history of looks as series, for the newest rows in the order of the table.

    How long a series lasted stands on the row after it, and of the newest one on the link.
    """
    last_at, looks = link.last_equal_look_at, link.equal_looks
    found = []
    for check in checks:
        decided = check.accepted_by_id is not None
        found.append(Series(check, 0 if decided else looks, None if decided else last_at))
        last_at, looks = check.last_before_at, check.looks_before
    return found


class PassageLook(models.Model):
    """How a passage stood at the last look that could read its source, and where. One a passage."""

    passage = models.OneToOneField("sources.Passage", models.CASCADE, primary_key=True, related_name="look")
    verdict = models.CharField(max_length=20)
    since = models.DateTimeField()
    looked_at = models.DateTimeField()
    nearest = models.CharField(max_length=300, blank=True, help_text="The words of the source nearest to it.")
    anchor = models.JSONField(null=True, blank=True, help_text="Where it stood when it was last found.")
    review_since = models.DateTimeField(
        null=True, blank=True, help_text="Set: what cites it is under review."
    )
    accepted = models.CharField(
        max_length=330, blank=True, help_text="The verdict and words a person called fine."
    )

    def __str__(self):
        return f"{self.passage_id}: {self.verdict}"


class PassageCheck(models.Model):
    """One row a change of a cited passage's verdict. Append-only."""

    passage = models.ForeignKey("sources.Passage", models.PROTECT, related_name="checks")
    checked_at = models.DateTimeField(default=timezone.now)
    verdict = models.CharField(max_length=20)
    reason = models.CharField(max_length=300)
    nearest = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-checked_at", "-id"]

    def __str__(self):
        return f"{self.passage_id}: {self.verdict} {self.checked_at:%Y-%m-%d}"

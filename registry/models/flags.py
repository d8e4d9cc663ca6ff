"""What a reader must know beside a claim's value, decided by the database in the query that reads the claim."""

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    JSONField,
    Min,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce, JSONObject, TruncDate

from registry.models.entry import Citation, EntryQuerySet, with_sources
from registry.models.reproduction import Reproduction
from sources.models import Verification
from sources.models.verification import DIRECT
from sources.standing import State

# The asserter is the subject's maker or the maker's parent.
SELF_REPORTED = Q(asserter=F("subject__maker")) | Q(asserter=F("subject__maker__parent"))

BROKEN = [State.BROKEN, State.GONE]
BEYOND_ROBOTS = [State.UNCHECKABLE, State.REFUSED, State.NOT_CHECKED]


class ClaimQuerySet(EntryQuerySet):
    def for_subjects(self, subjects):
        return self.filter(subject__in=subjects)

    def resting_on(self, source):
        """Claims that cite a passage of the source, by subject and property."""
        return (
            self.filter(citations__passage__source=source)
            .distinct()
            .order_by("subject__name", "property__position", "number")
        )

    def for_readers(self, day=None):
        """What pages show of claims, in two queries whatever their number: with flags, citations and sources."""
        citations = with_sources(self.model.citations.rel.related_model.objects.all())
        return (
            self.with_flags(day)
            .select_related("subject__maker", "property", "asserter")
            .prefetch_related(Prefetch("citations", citations))
        )

    def with_flags(self, day=None):
        """Annotates what `registry.reasoning.flags` puts into words, as things stand now or at the end of a day.

        self_reported, reproduced, unreproduced, second_hand, withdrawn: booleans.
        failed_reproductions: published reproductions with the outcome "not reproduced".
        different_values: values the published claims on the same subject, property and conditions give.
        links: how links and cited passages stand today, as `link_flags` takes it; None as of a day, which had its own.
        """
        tried = (
            Reproduction.objects.standing(day)
            .of([OuterRef("number")])
            .filter(Exists(self._figure_when_tried()))
            # Whoever is now said to have made or stated it does not confirm it, however independent it was then.
            .exclude(performer=OuterRef("asserter"))
            .exclude(performer=OuterRef("subject__maker"))
        )
        return self.alias(
            _self_reported=_true_if(SELF_REPORTED),
            _reproduced=Exists(tried.filter(outcome=Reproduction.Outcome.REPRODUCED)),
        ).annotate(
            self_reported=F("_self_reported"),
            reproduced=F("_reproduced"),
            unreproduced=_true_if(
                Q(
                    value_kind="value",
                    property__performance_figure=True,
                    _self_reported=True,
                    _reproduced=False,
                )
            ),
            failed_reproductions=_count(
                tried.filter(outcome=Reproduction.Outcome.NOT_REPRODUCED).order_by().values("claim_number"),
                "pk",
            ),
            withdrawn=_true_if(Q(status="withdrawn") & (Q() if day is None else Q(ended_on__lte=day))),
            second_hand=~Exists(self._read_directly(day)),
            different_values=self._different_values(day),
            links=Value(None, JSONField()) if day else self._links(),
        )

    def corrections(self):
        return super().corrections().select_related("subject", "property")

    def coverage(self):
        """How many claims there are, and how many of them bear the two flags readers ask for first."""
        return {
            "claims": self.count(),
            "unreproduced": self.unreproduced().count(),
            "second_hand": self.read_at_second_hand().count(),
        }

    def _figure_when_tried(self):
        """The revision a reproduction found published, if it gave the same figure as the claim asked about.

        A corrected figure was not tried yet; words, citations and notes may change without asking anybody to measure
        again. The editorial date decides, and within a day the clock.
        """
        tried_on, tried_at = OuterRef("record_date"), OuterRef("published_at")
        begun = Q(record_date__lt=tried_on) | Q(record_date=tried_on, published_at__lte=tried_at)
        not_ended = (
            Q(ended_on__isnull=True) | Q(ended_on__gt=tried_on) | Q(ended_on=tried_on, ended_at__gt=tried_at)
        )
        return self.model.objects.ever_published().filter(
            begun,
            not_ended,
            number=OuterRef("claim_number"),
            property=OuterRef(OuterRef("property")),
            value_key=OuterRef(OuterRef("value_key")),
        )

    def _read_directly(self, day):
        citations = self.model.citations.rel.related_model.objects.filter(
            entry=OuterRef("pk"), stance=Citation.Stance.SUPPORTS
        )
        if day is None:
            return citations.filter(passage__source__read_directly=True)
        return citations.filter(
            Exists(
                Verification.objects.confirmed().filter(
                    source=OuterRef("passage__source"), verified_on__lte=day, representation__in=DIRECT
                )
            )
        )

    def _different_values(self, day):
        said = (
            self.model.objects.standing(day)
            .filter(
                subject=OuterRef("subject"),
                property=OuterRef("property"),
                conditions=OuterRef("conditions"),
                value_kind="value",
                derivation="",
            )
            .exclude(property__datatype="description")
            .order_by()
            .values("property")
        )
        return _count(said, "value_key", distinct=True)

    def _links(self):
        """One subquery for all of it, over the few passages a claim cites."""
        link = "passage__source__link"
        supports = Q(stance=Citation.Stance.SUPPORTS)
        broken = supports & Q(**{f"{link}__state__in": BROKEN})
        # What is dead today is nowhere, wherever it was found before.
        moved = supports & Q(**{f"{link}__moved_to__gt": ""}) & ~Q(**{f"{link}__state__in": BROKEN})
        uncheckable = supports & Q(**{f"{link}__state__in": BEYOND_ROBOTS})
        said = JSONObject(
            broken_since=Min(TruncDate(f"{link}__since"), filter=broken),
            moved=BoolOr(_true_if(moved)),
            under_review=BoolOr(_true_if(Q(passage__look__review_since__isnull=False))),
            uncheckable=BoolOr(_true_if(uncheckable)),
        )
        citations = self.model.citations.rel.related_model.objects.filter(entry=OuterRef("pk"))
        return Subquery(citations.order_by().values("entry").annotate(said=said).values("said"))

    def unreproduced(self):
        return self.with_flags().filter(unreproduced=True)

    def disagreeing(self):
        return self.with_flags().filter(different_values__gt=1, value_kind="value", derivation="")

    def read_at_second_hand(self):
        return self.with_flags().filter(second_hand=True)


def _true_if(condition):
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def _count(grouped, field, distinct=False):
    counted = grouped.annotate(counted=Count(field, distinct=distinct)).values("counted")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)

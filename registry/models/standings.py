"""How sources and cited passages stand for readers. What only a draft cites is not theirs to see."""

from django.db.models import Exists, OuterRef, Q

from registry.models.claim import Claim
from registry.models.reproduction import Reproduction
from sources.models import Link, Passage
from sources.standing import State


def cited_passages():
    """Passages that something published cites, each with its last look."""
    cited = Q(pk__in=[])
    for entry in (Claim, Reproduction):
        citations = entry.citations.rel.related_model.objects
        cited |= Exists(citations.filter(passage=OuterRef("pk"), entry__in=entry.objects.published()))
    return Passage.objects.filter(cited).select_related("look").defer("look__anchor")


def with_standing(sources):
    """Sources with their links, annotated whether a cited passage of theirs is under review."""
    own = sources.select_related("link").defer("link__seen", "link__offered", "link__accepted")
    return own.annotate(under_review=Exists(_under_review()))


def with_link(sources, word):
    """Sources whose link or cited passages stand so: a word of the register's filter, "" for all."""
    return sources.filter(_STANDS[word]()) if word else sources


def _under_review():
    return cited_passages().filter(source=OuterRef("pk"), look__review_since__isnull=False)


def _among(links):
    return Q(link__in=links)


_STANDS = {
    "ok": lambda: Q(link__state=State.OK),
    "broken": lambda: _among(Link.objects.broken()),
    "unreachable": lambda: Q(link__state=State.UNREACHABLE),
    "moved": lambda: _among(Link.objects.moved()) & ~_among(Link.objects.broken()),
    "changed": lambda: Exists(_under_review()),
    "doubtful": lambda: Q(link__state__in=[State.CHANGED, State.NEEDS_A_LOOK]),
    "uncheckable": lambda: _among(Link.objects.beyond_robots()),
    "unchecked": lambda: Q(link__isnull=True) | Q(link__state=""),
}

from dataclasses import dataclass

from registry.presentation.claims import ABSENCES, Cited, figure_of
from registry.presentation.page import Link
from registry.presentation.subject import Event
from registry.reasoning.flags import flags_of


@dataclass(frozen=True)
class Notice:
    tone: str
    title: str
    words: str = ""
    links: tuple[Link, ...] = ()


@dataclass(frozen=True)
class DifferenceRow:
    label: str
    old: str
    new: str

    @property
    def changed(self):
        return self.old != self.new


@dataclass(frozen=True)
class Difference:
    caption: str
    old_label: str
    new_label: str
    rows: list[DifferenceRow]
    id: str = "difference"


@dataclass(frozen=True)
class Tried:
    label: str
    performer: str
    outcome: str
    words: str
    cited: list[Cited]


def claim_notice(claim, newest):
    """A banner where this revision is not what stands now; None where it is."""
    current = Link(f"C-{claim.number} as it stands", f"/claims/C-{claim.number}")
    if claim.status == "withdrawn":
        back = newest.status == "published"
        return Notice(
            "bad", f"Withdrawn on {claim.ended_on.isoformat()}.", claim.end_note, (current,) if back else ()
        )
    if claim.status != "superseded":
        return None
    words = f"Revision {newest.revision} of {newest.record_date.isoformat()} stands now."
    if newest.status == "withdrawn":
        words = f"The claim was withdrawn on {newest.ended_on.isoformat()}: {newest.end_note}"
    return Notice("caution", f"Superseded on {claim.ended_on.isoformat()}.", words, (current,))


def source_details(claim, provenance):
    return provenance.drawer(claim).citations


def reproductions(tried, provenance):
    """Who tried the figure, with what outcome, citing what."""
    return [
        Tried(
            f"R-{reproduction.number}",
            reproduction.performer.name,
            reproduction.get_outcome_display(),
            "; ".join(filter(None, [reproduction.text, reproduction.tolerance, reproduction.conditions])),
            [provenance.cited(citation.passage) for citation in reproduction.citations.all()],
        )
        for reproduction in tried
    ]


def claim_history(revisions):
    """What happened to a claim, newest first."""
    events = []
    for claim in revisions:
        label, url = (
            f"C-{claim.number}, revision {claim.revision}",
            f"/claims/C-{claim.number}/{claim.revision}",
        )
        if claim.status == "withdrawn":
            events.append(Event(claim.ended_on.isoformat(), label, "withdrawn", url, claim.end_note))
        value = ABSENCES.get(claim.value_kind) or figure_of(claim)
        words = f"{claim.get_change_kind_display().lower()}, {value}"
        events.append(
            Event(claim.record_date.isoformat(), label, words, url, claim.change_note, flags_of(claim))
        )
    return events


CONTENT = [
    ("Value", lambda c: ABSENCES.get(c.value_kind) or figure_of(c)),
    ("As stated", lambda c: c.text),
    ("Asserter", lambda c: c.asserter.name),
    ("Conditions", lambda c: c.conditions),
    ("Boundary", lambda c: c.boundary),
    ("Derivation", lambda c: c.derivation),
    ("Note", lambda c: c.note),
    ("Cited passages", lambda c: "; ".join(_passage(x) for x in c.citations.all())),
]


def _passage(citation):
    passage = citation.passage
    quoted = f": “{passage.quotation}”" if passage.quotation else ""
    return f"{passage.source.title}, {passage.locator}{quoted} ({citation.stance})"


def difference(before, after):
    """Field by field, what one revision says and what the next one says."""
    return Difference(
        f"What revision {after.revision} changed",
        f"Revision {before.revision}",
        f"Revision {after.revision}",
        [DifferenceRow(label, said(before), said(after)) for label, said in CONTENT],
    )

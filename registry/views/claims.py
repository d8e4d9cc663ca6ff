from dataclasses import replace

from django.http import Http404

from registry.forms.reader import AddressForm, DayForm
from registry.models import Claim, Reproduction
from registry.presentation.claim import claim_history, claim_notice, difference, reproductions, source_details
from registry.presentation.claims import Provenance, cell
from registry.presentation.navigation import LIBRARY_OF, subject_url
from registry.presentation.page import HOME, Link, Page, Record, lowered, with_suffix
from registry.views.rendering import public_page, render
from sources.models import Verification


@public_page
def claim(request, number):
    """The claim as it stands, or stood on a day. A withdrawn one answers 410 with its reason and history."""
    form = DayForm.read(request)
    day = form.cleaned_data["as_of"]
    revisions = _revisions(number, day)
    newest = revisions[0]
    if newest.withdrawn:
        record = Record(newest.revision, newest.ended_on)
        page = replace(_page(newest, f"/claims/C-{number}"), contents=[], record=record)
        context = {"reason": newest.end_note, "history": claim_history(revisions)}
        return render(request, "410.html", page, context, status=410)
    return _detail(request, newest, revisions, form.address(f"/claims/C-{number}"), day)


@public_page
def revision(request, number, revision):
    """One revision at its permanent address, with a banner where another one stands now."""
    AddressForm.read(request)
    revisions = _revisions(number)
    found = next((candidate for candidate in revisions if candidate.revision == revision), None)
    if found is None:
        raise Http404
    return _detail(request, found, revisions, f"/claims/C-{number}/{revision}")


def _revisions(number, day=None):
    known = Claim.objects.recorded_until(day).filter(number=number)
    revisions = list(known.for_readers(day).order_by("-revision"))
    if not revisions:
        raise Http404
    return revisions


def _page(claim, path):
    library = LIBRARY_OF.get(claim.subject.kind)
    return Page(
        f"C-{claim.number}: {claim.subject.name}, {claim.property.label}",
        f"{claim.asserter.name} on {claim.subject.name}: {lowered(claim.property.label)}, with the passage that says so.",
        path,
        [
            HOME,
            *(
                [Link(library.label, library.path), Link(claim.subject.name, subject_url(claim.subject))]
                if library
                else []
            ),
            Link(f"C-{claim.number}"),
        ],
        kicker=["Claim", claim.property.group],
        record=Record(claim.revision, claim.record_date),
        contents=[
            Link("What is claimed", "#claim"),
            Link("Sources and verification", "#sources"),
            Link("Reproductions", "#reproductions"),
            Link("Other claims", "#others"),
            Link("History", "#history"),
        ],
        actions=[Link("Markdown", with_suffix(path, "md"))],
    )


def _detail(request, claim, revisions, path, day=None):
    provenance = Provenance(Verification.objects.as_of(day) if day else None)
    shown = cell([claim], provenance)
    others = (
        Claim.objects.standing(day)
        .filter(subject=claim.subject, property=claim.property)
        .exclude(number=claim.number)
        .for_readers(day)
    )
    tried = Reproduction.objects.standing(day).of([claim.number]).with_sources()
    before = next((earlier for earlier in revisions if earlier.revision == claim.revision - 1), None)
    context = {
        "claim": claim,
        "cell": shown,
        "subject_url": subject_url(claim.subject),
        "as_of": day,
        # As of a day before it ended, nothing had ended it.
        "notice": None if day else claim_notice(claim, revisions[0]),
        "cited": source_details(claim, provenance),
        "reproductions": reproductions(tried, provenance),
        "others": [
            {
                "asserter": other.asserter.name,
                "cell": cell([other], provenance),
                "label": f"C-{other.number}",
                "url": f"/claims/C-{other.number}",
            }
            for other in others
        ],
        "difference": difference(before, claim) if before else None,
        "history": claim_history(revisions),
        "sources": provenance.sources,
        "drawers": provenance.drawers,
    }
    return render(request, "pages/claims/detail.html", _page(claim, path), context)

from django.http import Http404

from registry.forms.reader import DayForm
from registry.models import BenchmarkRecord, Claim, FormerSlug, Publication, Subject
from registry.presentation.benchmarks import line
from registry.presentation.claims import Provenance, claim_tables
from registry.presentation.navigation import subject_url
from registry.presentation.page import HOME, Link, Page, counted, with_suffix
from registry.presentation.subject import conflicts, contents, described, events, facts, plate
from registry.views.rendering import moved, public_page, record_of, render
from sources.models import Verification

MOST_RECORDS = 20  # on a subject's page; the register of records has them all
ROLE_OF = {"gpu": "hardware", "checkpoint": "checkpoint", "runtime": "runtime"}


@public_page
def subject(request, library, slug):
    """All that is published about one subject, today or as of a day; an address it once had redirects."""
    form = DayForm.read(request)
    day = form.cleaned_data["as_of"]
    found = (
        Subject.objects.public()
        .of_kind(library.kind)
        .filter(slug=slug)
        .select_related("maker", library.kind)
        .first()
    )
    if found is None:
        return _renamed(request, form, library, slug)
    claims = list(Claim.objects.standing(day).for_subjects([found]).for_readers(day))
    provenance = Provenance(Verification.objects.as_of(day) if day else None)
    publications = Publication.objects.about([found]).until(day)
    measured = BenchmarkRecord.objects.standing(day).about(found)
    records = [line(record) for record in measured.for_readers().order_by("number")[:MOST_RECORDS]]
    tables = claim_tables(claims, provenance)
    disagreements = conflicts(claims, provenance)
    address = form.address(subject_url(found))
    page = Page(
        found.name,
        described(found, len(claims)),
        address,
        [HOME, Link(library.label, library.path), Link(found.name)],
        kicker=[library.label, found.maker.name],
        record=record_of(publications, counted(len(claims), "claim")),
        contents=contents(tables, disagreements, bool(records)),
        actions=[
            Link("Markdown", with_suffix(address, "md")),
            Link("Compare", f"{library.path}/compare?ids={found.slug}"),
        ],
    )
    return render(
        request,
        "pages/subject/detail.html",
        page,
        {
            "library": library,
            "subject": found,
            "as_of": day,
            "facts": facts(found),
            "plate": plate(claims, provenance),
            "tables": tables,
            "conflicts": disagreements,
            "records": records,
            "records_url": f"/benchmarks?{ROLE_OF[library.kind]}={found.slug}",
            "records_count": measured.count() if len(records) == MOST_RECORDS else len(records),
            "sources": provenance.sources,
            "drawers": provenance.drawers,
            "corrections": events(Claim.objects.corrections().for_subjects([found]).recorded_until(day)),
            "publications": publications.by_day(),
        },
    )


def _renamed(request, form, library, slug):
    public = Subject.objects.public()
    former = (
        FormerSlug.objects.filter(kind=library.kind, slug=slug, subject__in=public)
        .select_related("subject")
        .first()
    )
    if former is None:
        raise Http404
    return moved(request, form.address(subject_url(former.subject)))

from django.core.paginator import Paginator
from django.http import Http404
from django.utils import timezone

from registry.forms.reader import AddressForm, SourcesForm
from registry.models import Claim, Publication
from registry.presentation.claims import Provenance
from registry.presentation.page import HOME, Link, Page, Record, with_suffix
from registry.presentation.register import resting_on, source_facts, source_history
from registry.presentation.sources import source_line
from registry.views.filters import filters, pager
from registry.views.rendering import public_page, record_of, render
from sources.models import ReferenceChange, Source

PER_PAGE = 100


@public_page
def register(request):
    """The register of sources: everything that was read, in the line form, filtered."""
    form = SourcesForm.read(request)
    found = (
        Source.objects.published().matching(timezone.now().date(), **form.in_use).select_related("publisher")
    )
    paginator = Paginator(found, PER_PAGE)
    shown = paginator.get_page(form.cleaned_data["page"] or 1)
    address = form.address("/sources")
    page = Page(
        "Sources",
        "Every source the registry has read, with its publication and verification dates.",
        address,
        [HOME, Link("Sources")],
        record=record_of(Publication.objects.all()),
        actions=[Link("Markdown", with_suffix(address, "md"))],
    )
    return render(
        request,
        "pages/sources/register.html",
        page,
        {
            "form": form,
            "filters": filters(request, form, f"{paginator.count} sources"),
            "sources": [source_line(source) for source in shown],
            "pager": pager(request, shown),
        },
    )


@public_page
def source(request, key):
    """One source: its line, how it was read and when, and what rests on it."""
    AddressForm.read(request)
    found = (
        Source.objects.published()
        .filter(key=key)
        .select_related("publisher", "superseded_by", "edition_of", "link")
        .first()
    )
    if found is None:
        raise Http404
    provenance = Provenance()
    claims = list(Claim.objects.published().resting_on(found).for_readers())
    verifications = list(found.verifications.all())
    changes = list(ReferenceChange.objects.noted().filter(table="source", key=found.key))
    page = Page(
        str(found),
        f"What rests on this source (published claims: {len(claims)}), how it was read and when.",
        f"/sources/{found.key}",
        [HOME, Link("Sources", "/sources"), Link(found.title)],
        kicker=["Sources", found.get_kind_display()],
        # A source is not an entry: its first verification and each noted change make its revisions.
        record=Record(
            1 + len(changes),
            max([verifications[-1].verified_on, *(change.changed_at.date() for change in changes)]),
        ),
        contents=[
            Link("The source", "#source"),
            Link("What rests on it", "#claims"),
            Link("How it was read", "#verifications"),
        ],
        actions=[Link("Markdown", f"/sources/{found.key}.md")],
    )
    return render(
        request,
        "pages/sources/detail.html",
        page,
        {
            "source": source_line(found),
            "facts": source_facts(found),
            "rows": resting_on(found, claims, provenance),
            "history": source_history(verifications, changes),
            "link": getattr(found, "link", None),
            "sources": provenance.sources,
            "drawers": provenance.drawers,
        },
    )

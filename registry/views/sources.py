from django.core.paginator import Paginator
from django.db.models import Subquery
from django.db.models.functions import JSONObject
from django.http import Http404
from django.utils import timezone

from registry.forms.reader import AddressForm, SourcesForm
from registry.models import BenchmarkRecord, Claim, Publication
from registry.models.standings import cited_passages, with_link, with_standing
from registry.presentation.benchmarks import line
from registry.presentation.claims import Provenance
from registry.presentation.looks import MOST, dates, passage_rows, standing, timeline
from registry.presentation.page import HOME, Link, Page, Record, counted, with_suffix
from registry.presentation.register import resting_on, source_facts, source_history
from registry.presentation.sources import source_line
from registry.views.filters import filters, pager
from registry.views.rendering import public_page, record_of, render
from sources.models import Link as SourceLink
from sources.models import LinkCheck, ReferenceChange, Source

PER_PAGE = 100
MOST_RECORDS = 20  # on a source's page; the register of records has them all


def looks_at(key):
    """Every look at a source moves it: looks that change no standing change the source's own page, and no other."""
    known = SourceLink.objects.filter(source__key=key)
    return Subquery(known.values_list(JSONObject(check="last_check", at="last_equal_look_at")))


@public_page
def register(request):
    """The register of sources: everything that was read, in the line form, filtered."""
    form = SourcesForm.read(request)
    asked = form.in_use
    found = with_link(Source.objects.published(), asked.pop("link", ""))
    found = with_standing(found.matching(timezone.now().date(), **asked).select_related("publisher"))
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
            "filters": filters(request, form, counted(paginator.count, "source")),
            "sources": [source_line(source) for source in shown],
            "pager": pager(request, shown),
        },
    )


@public_page(seen=looks_at)
def source(request, key):
    """One source: its line and its dates, what rests on it, what looks found, how it was read."""
    AddressForm.read(request)
    found = (
        with_standing(Source.objects.published())
        .filter(key=key)
        .select_related("publisher", "superseded_by", "edition_of")
        .first()
    )
    if found is None:
        raise Http404
    provenance = Provenance()
    claims = list(Claim.objects.published().resting_on(found).for_readers())
    measured = BenchmarkRecord.objects.published().resting_on(found)
    records = [line(record) for record in measured.for_readers().order_by("number")[:MOST_RECORDS]]
    verifications = list(found.verifications.all())
    changes = list(ReferenceChange.objects.noted().filter(table="source", key=found.key))
    link = getattr(found, "link", None)
    checks = list(LinkCheck.objects.filter(source=found)[: MOST + 1])
    shown = source_line(found)
    # A source is not an entry: its first verification and each noted change make its revisions.
    record = Record(
        1 + len(changes),
        max([verifications[-1].verified_on, *(change.changed_at.date() for change in changes)]),
    )
    page = Page(
        str(found),
        f"What rests on this source (published claims: {len(claims)}), how it was read and when.",
        f"/sources/{found.key}",
        [HOME, Link("Sources", "/sources"), Link(found.title)],
        kicker=["Sources", found.get_kind_display()],
        record=record,
        contents=[
            Link("The source", "#source"),
            Link("Five dates", "#dates"),
            Link("What rests on it", "#claims"),
            Link("Cited passages", "#passages"),
            Link("Looks at its address", "#looks"),
            Link("How it was read", "#verifications"),
        ],
        actions=[Link("Markdown", f"/sources/{found.key}.md")],
    )
    return render(
        request,
        "pages/sources/detail.html",
        page,
        {
            "source": shown,
            "facts": source_facts(found),
            "records": records,
            "records_count": measured.count() if len(records) == MOST_RECORDS else len(records),
            "rows": resting_on(found, claims, provenance),
            "history": source_history(verifications, changes),
            "dates": dates(shown, link, checks, verifications, record),
            "standing": standing(link),
            "looks": timeline(found.url, link, checks),
            "more_looks": len(checks) > MOST,
            "passages": passage_rows(cited_passages().filter(source=found)),
            "sources": provenance.sources,
            "drawers": provenance.drawers,
        },
    )

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse

from registry.errors import BadParameters
from registry.forms.reader import AddressForm, BenchmarksForm, RecordsForm
from registry.models import BenchmarkRecord, Publication
from registry.presentation.benchmarks import (
    cited,
    conditions,
    further,
    history,
    line,
    missing,
    record_flags,
    record_url,
    related,
    requests,
    results,
    title_of,
)
from registry.presentation.claims import Provenance
from registry.presentation.load_curve import LOADS, load_curve
from registry.presentation.page import HOME, Link, Page, Record, with_suffix
from registry.presentation.record_comparison import comparison, notice_of
from registry.presentation.record_downloads import records_csv
from registry.presentation.record_facts import record_facts
from registry.reasoning.comparability import MOST_RECORDS, compare_many
from registry.reasoning.nearest import nearest
from registry.views.filters import filters, pager
from registry.views.rendering import public_page, record_of, render

PER_PAGE = 50
SECTION = Link("Benchmarks", "/benchmarks")
MOST_PEERS, MOST_NEAREST = 300, 12


@public_page(formats=("html", "md", "csv"))
def index(request):
    """The register of records, by number, filtered: never by what was measured."""
    form = BenchmarksForm.read(request)
    found = BenchmarkRecord.objects.published().matching(**form.in_use).for_readers().order_by("number")
    if request.representation == "csv":
        return HttpResponse(records_csv(found), content_type="text/csv; charset=utf-8")
    paginator = Paginator(found, PER_PAGE)
    shown = paginator.get_page(form.cleaned_data["page"] or 1)
    address = form.address("/benchmarks")
    page = Page(
        "Benchmarks",
        "Benchmark records: what ran on what, what was asked of it, who measured it how, and what came out.",
        address,
        [HOME, Link("Benchmarks")],
        record=record_of(Publication.objects.filter(letter="B")),
        actions=[Link("Markdown", with_suffix(address, "md")), Link("CSV", with_suffix(address, "csv"))],
    )
    context = {
        "form": form,
        "filters": filters(request, form, f"{paginator.count} records"),
        "records": [line(record) for record in shown],
        "pager": pager(request, shown),
    }
    return render(request, "pages/benchmarks/index.html", page, context)


@public_page(formats=("html", "md", "csv"))
def record(request, number):
    """The record as it stands; as CSV with those that differ from it by the load alone. Withdrawn: 410 with the reason."""
    AddressForm.read(request)
    revisions = _revisions(number)
    newest = revisions[0]
    if newest.status == "withdrawn":
        page = _page(newest, f"/benchmarks/B-{number}", Record(newest.revision, newest.ended_on))
        context = {"reason": newest.end_note, "history": history(revisions)}
        return render(request, "410.html", page, context, status=410)
    return _detail(request, newest, revisions, f"/benchmarks/B-{number}")


@public_page(formats=("html", "md", "csv"))
def revision(request, number, revision):
    """One revision at its permanent address, with a banner where another one stands now."""
    AddressForm.read(request)
    revisions = _revisions(number)
    found = next((candidate for candidate in revisions if candidate.revision == revision), None)
    if found is None:
        raise Http404
    return _detail(request, found, revisions, f"/benchmarks/B-{number}/{revision}")


@public_page(formats=("html", "md", "csv"))
def compare(request):
    """Two to six records: the verdict and its reasons before any figure."""
    form = RecordsForm.read(request)
    numbers = form.cleaned_data["r"]
    found = {
        each.number: each
        for each in BenchmarkRecord.objects.published().filter(number__in=numbers).for_readers()
    }
    if unknown := [f"B-{number}" for number in numbers if number not in found]:
        raise BadParameters([f"r={unknown[0]}: there is no published record of this number."])
    chosen = [found[number] for number in numbers]
    if request.representation == "csv":
        return HttpResponse(records_csv(chosen), content_type="text/csv; charset=utf-8")
    address = form.address("/benchmarks/compare")
    provenance = Provenance()
    shown = None
    if len(chosen) > 1:
        shown = comparison(chosen, compare_many([record_facts(each) for each in chosen]), provenance)
    page = Page(
        "Compare benchmark records",
        "Whether records may be compared, every reason why not, and only then the figures that may stand side by side.",
        address,
        [HOME, SECTION, Link("Compare")],
        record=record_of(Publication.objects.filter(letter="B", number__in=numbers)) if numbers else None,
        actions=[
            Link("Markdown", with_suffix(address, "md")),
            *([Link("CSV", with_suffix(address, "csv"))] if shown else []),
        ],
    )
    context = {
        "chosen": [line(each) for each in chosen],
        "comparison": shown,
        "most": MOST_RECORDS,
        "sources": provenance.sources,
    }
    return render(request, "pages/benchmarks/compare.html", page, context)


def _revisions(number):
    revisions = list(
        BenchmarkRecord.objects.ever_published().filter(number=number).for_readers().order_by("-revision")
    )
    if not revisions:
        raise Http404
    return revisions


def _page(found, path, record):
    return Page(
        f"B-{found.number}: {title_of(found)}",
        f"A benchmark record published by {found.submitter.name}: conditions first, then each figure with its definition.",
        path,
        [HOME, SECTION, Link(f"B-{found.number}")],
        kicker=["Benchmark record", found.tool],
        record=record,
        actions=[Link("Markdown", with_suffix(path, "md")), Link("CSV", with_suffix(path, "csv"))],
    )


def _detail(request, found, revisions, path):
    provenance = Provenance()
    lacking, footnote = missing(found)
    peers = BenchmarkRecord.objects.published().like(found).for_readers()[:MOST_PEERS]
    by_name = {f"B-{each.number}/{each.revision}": each for each in peers}
    neighbours = nearest(record_facts(found), [record_facts(each) for each in by_name.values()])
    curve = load_curve(found, neighbours, by_name)
    if request.representation == "csv":
        shown = [found, *(by_name[each.record.name] for each in neighbours if each.field in LOADS)]
        return HttpResponse(records_csv(shown), content_type="text/csv; charset=utf-8")
    context = {
        "record": found,
        "curve": curve,
        "chart": curve.chart if curve else None,
        "flags": record_flags(found),
        "notice": notice_of(found, revisions[0]),
        "conditions": conditions(found),
        "further": further(found),
        "requests": requests(found),
        "results": results(found),
        "missing": lacking,
        "footnote": footnote,
        "related": related(found),
        "cited": cited(found, provenance),
        "neighbours": [
            {
                "label": f"B-{by_name[each.record.name].number}",
                "url": record_url(by_name[each.record.name]),
                "title": title_of(by_name[each.record.name]),
                "each": each,
            }
            for each in neighbours[:MOST_NEAREST]
        ],
        "history": history(revisions),
        "sources": provenance.sources,
    }
    page = _page(found, path, Record(found.revision, found.record_date))
    return render(request, "pages/benchmarks/detail.html", page, context)

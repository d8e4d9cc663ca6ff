from django.core.paginator import Paginator
from django.db.models import Q

from registry.forms.reader import PagedForm
from registry.models import BenchmarkRecord, Claim, Property, Publication, Reproduction, Subject
from registry.presentation.page import HOME, Link, Page, with_suffix
from registry.presentation.register import change_event
from registry.presentation.subject import events
from registry.views.filters import pager
from registry.views.rendering import public_page, record_of, render
from sources.models import Organisation, ReferenceChange, Source

PER_PAGE = 100


@public_page
def corrections(request):
    """Everything published that was changed or taken back, and every noted change of a source, newest first."""
    form = PagedForm.read(request)
    address = form.address("/corrections")
    entries = Paginator(Claim.objects.corrections(), PER_PAGE)
    changes = Paginator(ReferenceChange.objects.noted().filter(_seen_by_readers()), PER_PAGE)
    # Both lists turn their pages together; the shorter one ends first.
    longer = max(entries, changes, key=lambda paginator: paginator.num_pages)
    shown = longer.get_page(form.cleaned_data["page"] or 1)
    page = Page(
        "Corrections",
        "What was published and then changed or withdrawn, with the reason; earlier revisions stay readable.",
        address,
        [HOME, Link("Corrections")],
        record=record_of(Publication.objects.all()),
        contents=[Link("Entries", "#entries"), Link("Sources and names", "#reference")],
        actions=[Link("Markdown", with_suffix(address, "md"))],
    )
    return render(
        request,
        "pages/corrections.html",
        page,
        {
            "history": events(
                _page(entries, shown.number),
                # Few enough to stand on the first page.
                Reproduction.objects.corrections() if shown.number == 1 else (),
                BenchmarkRecord.objects.corrections().select_related("hardware") if shown.number == 1 else (),
            ),
            "pager": pager(request, shown),
            "changes": [change_event(change) for change in _page(changes, shown.number)],
        },
    )


def _page(paginator, number):
    return paginator.page(number) if number <= paginator.num_pages else []


def _seen_by_readers():
    """Changes of rows that stand on public pages; what an editor notes on a lead or an unused name stays inside."""
    claims = Claim.objects.ever_published()
    sources, subjects = Source.objects.published(), Subject.objects.public()
    organisations = Organisation.objects.filter(
        Q(sources__in=sources)
        | Q(subjects__in=subjects)
        | Q(claims__in=claims)
        | Q(reproductions__in=Reproduction.objects.ever_published())
    )
    rows = {
        "source": sources,
        "subject": subjects,
        "organisation": organisations,
        "property": Property.objects.filter(claims__in=claims),
    }
    seen = Q(pk__in=[])
    for table, public in rows.items():
        seen |= Q(table=table, key__in=public.values("key"))
    return seen

from django.core.paginator import Paginator
from django.db.models import Q

from registry.forms.reader import PagedForm
from registry.models import Claim, Property, Publication, Reproduction, Subject
from registry.presentation.page import Link, Page, with_suffix
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
    shown = Paginator(Claim.objects.corrections(), PER_PAGE).get_page(form.cleaned_data["page"] or 1)
    changes = ReferenceChange.objects.noted().filter(_seen_by_readers())
    page = Page(
        "Corrections",
        "What was published and then changed or withdrawn, with the reason; earlier revisions stay readable.",
        address,
        [Link("Evidence Registry", "/"), Link("Corrections")],
        record=record_of(Publication.objects.all()),
        contents=[Link("Entries", "#entries"), Link("Sources and names", "#reference")],
        actions=[Link("Markdown", with_suffix(address, "md"))],
    )
    return render(
        request,
        "pages/corrections.html",
        page,
        {
            "history": events(shown, Reproduction.objects.corrections() if shown.number == 1 else ()),
            "pager": pager(request, shown),
            "changes": [change_event(change) for change in changes[:PER_PAGE]],
        },
    )


def _seen_by_readers():
    """Changes of rows that stand on public pages; what an editor notes on a lead or an unused name stays inside."""
    claims = Claim.objects.ever_published()
    sources, subjects = Source.objects.published(), Subject.objects.public()
    organisations = Organisation.objects.filter(
        Q(sources__in=sources) | Q(subjects__in=subjects) | Q(claims__in=claims)
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

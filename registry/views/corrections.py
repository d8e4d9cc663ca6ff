from django.core.paginator import Paginator

from registry.forms.reader import PagedForm
from registry.models import Claim, Publication
from registry.presentation.page import Link, Page
from registry.presentation.register import change_event
from registry.presentation.subject import events
from registry.views.filters import pager
from registry.views.rendering import public_page, record_of, render
from sources.models import ReferenceChange, Source

PER_PAGE = 100


@public_page
def corrections(request):
    """Everything published that was changed or taken back, and every noted change of a source, newest first."""
    number = PagedForm.read(request).cleaned_data["page"] or 1
    shown = Paginator(Claim.objects.corrections(), PER_PAGE).get_page(number)
    changes = ReferenceChange.objects.noted().exclude(table="source", key__in=Source.objects.leads().values("key"))
    page = Page(
        "Corrections",
        "What was published and then changed or withdrawn, with the reason; earlier revisions stay readable.",
        "/corrections",
        [Link("Evidence Registry", "/"), Link("Corrections")],
        record=record_of(Publication.objects.all()),
        contents=[Link("Entries", "#entries"), Link("Sources and names", "#reference")],
        actions=[Link("Markdown", "/corrections.md")],
    )
    return render(
        request,
        "pages/corrections.html",
        page,
        {
            "history": events(shown),
            "pager": pager(request, shown),
            "changes": [change_event(change) for change in changes[:PER_PAGE]],
        },
    )

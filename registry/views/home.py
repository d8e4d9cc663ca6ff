from django.conf import settings

from registry.forms.reader import AddressForm
from registry.models import Claim, Publication, Subject
from registry.presentation.navigation import LIBRARIES
from registry.presentation.page import Link, Page
from registry.presentation.subject import events
from registry.reasoning.flags import MEANINGS
from registry.views.rendering import public_page, record_of, render
from sources.models import Source


@public_page
def home(request):
    """What the registry is, what it holds, how to read it, what changed last."""
    AddressForm.read(request)
    kinds = Subject.objects.public().counts()
    page = Page(
        settings.SITE_NAME,
        "What is known about GPUs, model checkpoints and serving runtimes, and who says so.",
        "/",
        [Link(settings.SITE_NAME)],
        record=record_of(Publication.objects.all()),
        actions=[Link("Markdown", "/index.md")],
        principle=True,
    )
    return render(
        request,
        "pages/home.html",
        page,
        {
            "counts": Claim.objects.published().coverage(),
            "sources_count": Source.objects.published().count(),
            "libraries": [(library, kinds.get(library.kind, 0)) for library in LIBRARIES],
            "meanings": MEANINGS,
            "history": events(Claim.objects.corrections()[:5]),
        },
    )

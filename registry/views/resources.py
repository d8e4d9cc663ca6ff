from registry.forms.reader import AddressForm
from registry.models import Publication, Subject
from registry.presentation.navigation import LIBRARIES
from registry.presentation.page import HOME, Link, Page
from registry.reasoning.flags import MEANINGS
from registry.views.rendering import public_page, record_of, render


@public_page
def resources(request):
    """The entrance to all research material that exists."""
    AddressForm.read(request)
    kinds = Subject.objects.public().counts()
    page = Page(
        "Resources",
        "The way into everything the registry holds: libraries, comparisons, the register of sources and its corrections.",
        "/resources",
        [HOME, Link("Resources")],
        record=record_of(Publication.objects.all()),
        contents=[
            Link("Libraries", "#libraries"),
            Link("Comparisons", "#comparisons"),
            Link("Registers", "#registers"),
            Link("How to read a claim", "#reading"),
        ],
        actions=[Link("Markdown", "/resources.md")],
        principle=True,
    )
    return render(
        request,
        "pages/resources.html",
        page,
        {"libraries": [(library, kinds.get(library.kind, 0)) for library in LIBRARIES], "meanings": MEANINGS},
    )

from registry.forms.reader import LibraryForm
from registry.models import Claim, Publication, Subject
from registry.presentation.claims import Provenance
from registry.presentation.library import library_table
from registry.presentation.navigation import by_name
from registry.presentation.page import HOME, Link, Page, with_suffix
from registry.views.filters import filters
from registry.views.rendering import public_page, record_of, render
from sources.models import Organisation


@public_page
def index(request, library):
    """One library: its subjects by name, filtered, with their headline claims."""
    everything = Subject.objects.public().of_kind(library.kind)
    makers = Organisation.objects.filter(subjects__in=everything).distinct().values_list("key", "name")
    form = LibraryForm.read(request, library=library, makers=list(makers))
    subjects = by_name(
        everything.matching(**form.in_use).with_coverage().select_related("maker", library.kind)
    )
    claims = Claim.objects.published().for_subjects(subjects).filter(property__headline=True).for_readers()
    provenance = Provenance()
    table = library_table(library, subjects, list(claims), provenance)
    address = form.address(library.path)
    page = Page(
        library.label,
        library.description,
        address,
        [HOME, Link(library.label)],
        kicker=["Libraries", library.label],
        record=record_of(Publication.objects.about_kind(library.kind)),
        actions=[
            Link("Markdown", with_suffix(address, "md")),
            Link(f"Compare {library.plural}", f"{library.path}/compare"),
        ],
    )
    return render(
        request,
        "pages/library/index.html",
        page,
        {
            "library": library,
            "form": form,
            "filters": filters(
                request, form, f"{len(subjects)} {library.plural if len(subjects) != 1 else library.noun}"
            ),
            "table": table,
            "sources": provenance.sources,
            "drawers": provenance.drawers,
        },
    )

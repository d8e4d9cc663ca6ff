"""What the address of an admin list may ask of the database: a short search, and the filters that the list shows."""

from django.contrib import messages
from django.contrib.admin.filters import SimpleListFilter
from django.contrib.admin.views.main import ERROR_FLAG
from django.db import DataError
from django.http import HttpResponseRedirect
from django.utils.text import smart_split

LONGEST_SEARCH = 200  # characters
MOST_TERMS = 10  # each is looked for in every search field
# What the links of Django's list filters and date hierarchies add to the name of their field.
ASKED = {"", "exact", "isnull", "gte", "lt", "year", "month", "day"}


class BoundedList:
    """A list whose search is cut to what the database answers in time, and which filters by its own filters only."""

    def get_search_results(self, request, queryset, search_term):
        term = shortened(search_term)
        if term != search_term and not getattr(request, "search_was_cut", False):
            request.search_was_cut = True  # facets search again for each filter
            messages.warning(
                request,
                f"The search was cut to “{term}”: it takes {MOST_TERMS} words and {LONGEST_SEARCH} characters.",
            )
        found, repeats = super().get_search_results(request, queryset, term)
        if repeats:
            # DISTINCT would compare whole rows, and for that make every flag of every row that is found.
            bare, _ = super().get_search_results(request, self.model._base_manager.all(), term)
            found = queryset.filter(pk__in=bare.values("pk"))
        return found, False

    def lookup_allowed(self, lookup, value, request=None):
        return super().lookup_allowed(lookup, value, request) and lookup in self._lookups(request)

    def _lookups(self, request):
        """Every parameter that a link of this list's filters and of its date hierarchy can carry."""
        filters = self.get_list_filter(request) if request is not None else self.list_filter
        allowed = set()
        for name in [*filters, *filter(None, [self.date_hierarchy])]:
            if isinstance(name, type) and issubclass(name, SimpleListFilter):
                allowed.add(name.parameter_name)
                continue
            path = name if isinstance(name, str) else name[0]
            related = f"{path}__id"
            allowed |= {f"{stem}__{asked}".removesuffix("__") for stem in (path, related) for asked in ASKED}
        return allowed

    def changelist_view(self, request, extra_context=None):
        """The stock list. A value the database cannot read is answered as Django answers one it cannot read itself."""
        try:
            return super().changelist_view(request, extra_context)
        except DataError:
            if request.GET.keys() == {ERROR_FLAG}:
                raise  # it is not the address that the database cannot read
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")


def shortened(search):
    """The first words of a search, as many as the database can look for in time."""
    terms = list(smart_split(search[:LONGEST_SEARCH]))
    if len(search) <= LONGEST_SEARCH and len(terms) <= MOST_TERMS:
        return search
    return " ".join(terms[:MOST_TERMS])

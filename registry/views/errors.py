import difflib
from urllib.parse import unquote

from django.http import HttpResponse
from django.template.loader import render_to_string

from registry.errors import BadParameters
from registry.models import Subject
from registry.presentation.navigation import LIBRARIES, SECTIONS, footer, navigation, site, subject_url
from registry.presentation.page import HOME, Link, Page


class ParameterErrors:
    """Answers BadParameters of any view with a page that lists them."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        return self.get_response(request)

    def process_exception(self, request, exception):
        return (
            bad_request(request, problems=exception.problems)
            if isinstance(exception, BadParameters)
            else None
        )


def _answer(request, template, title, status, **context):
    subjects = list(Subject.objects.public()) if status == 404 else []
    page = Page(title, "", "", [HOME, Link(title)])
    shell = {
        "page": page,
        "site": site(),
        "navigation": navigation(request.path_info),
        "footer": footer(subjects),
    }
    if status == 404:
        context["suggestions"] = _close_to(request.path_info, subjects)
    return HttpResponse(render_to_string(template, shell | context, request), status=status)


def bad_request(request, exception=None, problems=()):
    return _answer(request, "400.html", "The request cannot be read", 400, problems=problems)


def permission_denied(request, exception=None):
    return _answer(request, "403.html", "Not permitted", 403)


def page_not_found(request, exception=None):
    return _answer(request, "404.html", "No page at this address", 404)


def server_error(request):
    # No database and no context processors: they may be what broke.
    return HttpResponse(render_to_string("500.html", {"site": site()}), status=500)


def _close_to(path, subjects):
    """Public pages whose address or name is close to what was asked for, closest first."""
    wanted = unquote(path).strip("/").lower()
    pages = {url.strip("/"): Link(label, url) for label, url in SECTIONS}
    for library in LIBRARIES:
        pages[f"{library.path}/compare".strip("/")] = Link(
            f"Compare {library.plural}", f"{library.path}/compare"
        )
    for subject in filter(subject_url, subjects):
        link = Link(subject.name, subject_url(subject))
        pages[subject_url(subject).strip("/")] = pages[subject.slug] = pages[subject.name.lower()] = link
    tail = wanted.rpartition("/")[2]
    keys = difflib.get_close_matches(wanted[:200], pages, 5, 0.6) + difflib.get_close_matches(
        tail[:200], pages, 5, 0.6
    )
    keys += [key for key in pages if len(tail) > 2 and tail in key]
    return list({pages[key].url: pages[key] for key in keys}.values())[:6]

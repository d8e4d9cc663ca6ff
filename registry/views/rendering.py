"""How every public page is answered: one snapshot of the database, one ETag, HTML or its Markdown twin."""

import hashlib
from contextlib import contextmanager
from functools import wraps

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Value
from django.http import Http404, HttpResponse, HttpResponseNotModified, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from registry.models import RegistryState, Subject
from registry.presentation.navigation import footer, navigation, site
from registry.presentation.page import Record, with_suffix
from registry.twin import markdown_twin

SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"


def public_page(view=None, *, formats=("html", "md"), seen=None):
    """Answers 304 after one query when nothing readers see has changed, else the page from one snapshot.

    `formats` are the representations the view gives; any other suffix is an address without a page. `seen` makes of the
    view's arguments an expression for what only this page shows and the registry's version does not count.
    """

    def decorate(view):
        @csrf_exempt  # so that a POST is told which methods there are, not that a token is missing
        @require_safe
        @wraps(view)
        def page(request, *args, **kwargs):
            if request.representation not in formats:
                raise Http404
            own = seen(*args, **kwargs) if seen else Value("")
            etag = _etag(request, _version(own))
            if etag in request.headers.get("If-None-Match", "").replace("W/", ""):
                return _with_headers(HttpResponseNotModified(), etag)
            with snapshot(own) as version:
                response = view(request, *args, **kwargs)
            return _with_headers(response, _etag(request, version))

        return page

    return decorate(view) if view else decorate


@contextmanager
def snapshot(own):
    """One REPEATABLE READ, READ ONLY transaction; gives the registry's version in it, and what the page alone shows.

    Inside a caller's transaction (a test's) that transaction is the snapshot.
    """
    nested = connection.in_atomic_block
    with transaction.atomic():
        if not nested:
            with connection.cursor() as cursor:
                cursor.execute(SNAPSHOT)
        yield _version(own)


def _version(own):
    """The registry's version, and beside it what one page alone shows, in one query."""
    return RegistryState.objects.values_list("version", own).get(pk=1)


def _etag(request, version):
    # The day, because "verification due" and views of a day change with it; what the operator says stands on every page.
    operator = (settings.SITE_NAME, settings.SITE_URL, settings.SITE_STATEMENT, settings.SITE_STATEMENT_DATE)
    robot = (settings.LINKCHECK_ABOUT, settings.LINKCHECK_MIN_INTERVAL, settings.LINKCHECK_DEADLINE)
    representation = (request.representation, request.get_full_path())
    parts = (
        *version,
        settings.BUILD,
        *operator,
        *robot,
        settings.SOCIAL_LINKS,
        *representation,
        timezone.now().date(),
    )
    return f'"{hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:32]}"'


def _with_headers(response, etag):
    if response.status_code in (200, 304):
        response["ETag"] = etag
        response["Cache-Control"] = "public, no-cache"
    return response


def render(request, template, page, context=None, *, status=200):
    """The page as HTML, or its Markdown twin made from that very HTML."""
    html = render_to_string(template, shell(request, page) | (context or {}), request)
    if request.representation != "md":
        return HttpResponse(html, status=status)
    # A page without record of its own (nothing chosen yet) is as old as the registry's last change.
    day = page.record.date if page.record else RegistryState.objects.get(pk=1).changed_at.date().isoformat()
    twin = markdown_twin(
        html,
        title=f"{page.title} | {settings.SITE_NAME}",
        description=page.description,
        canonical=page.canonical,
        last_updated=day,
    )
    return HttpResponse(twin, content_type="text/markdown; charset=utf-8", status=status)


def moved(request, address):
    """A redirect to where this page stands now, in the representation that was asked for."""
    suffix = request.representation
    return HttpResponsePermanentRedirect(address if suffix == "html" else with_suffix(address, suffix))


def shell(request, page):
    """What base.html needs beside the page itself: the site, its navigation and the footer that reaches every record."""
    subjects = Subject.objects.public()
    return {
        "page": page,
        "site": site(),
        "navigation": navigation(request.path_info),
        "footer": footer(subjects),
    }


def record_of(publications, *notes):
    """Revision and editorial date of a generated page: the number of log rows that touch it and their newest date."""
    revision, day = publications.extent()
    return Record(revision, day, tuple(notes)) if revision else None

from django.contrib import admin
from django.urls import path, register_converter
from django.views.generic import RedirectView

from registry.presentation.navigation import LIBRARIES
from registry.views import (
    about,
    benchmarks,
    claims,
    compare,
    corrections,
    home,
    library,
    resources,
    sources,
    subject,
)


class ClaimNumber:
    """n of C-n, without leading zeros, within what the database can hold."""

    regex = "C-[1-9][0-9]{0,8}"

    def to_python(self, value):
        return int(value[2:])

    def to_url(self, value):
        return f"C-{value}"


class Revision:
    regex = "[1-9][0-9]{0,4}"

    def to_python(self, value):
        return int(value)

    def to_url(self, value):
        return str(value)


class RecordNumber(ClaimNumber):
    """n of B-n."""

    regex = "B-[1-9][0-9]{0,8}"

    def to_url(self, value):
        return f"B-{value}"


register_converter(ClaimNumber, "claim")
register_converter(RecordNumber, "record")
register_converter(Revision, "revision")

urlpatterns = [
    path("", home.home, name="home"),
    path("resources", resources.resources, name="resources"),
    path("sources", sources.register, name="sources"),
    path("sources/<slug:key>", sources.source, name="source"),
    path("corrections", corrections.corrections, name="corrections"),
    path("about/link-checker", about.link_checker, name="link-checker"),
    path("claims/<claim:number>", claims.claim, name="claim"),
    path("claims/<claim:number>/<revision:revision>", claims.revision, name="claim-revision"),
    path("benchmarks", benchmarks.index, name="benchmarks"),
    path("benchmarks/compare", benchmarks.compare, name="benchmarks-compare"),
    path("benchmarks/<record:number>", benchmarks.record, name="record"),
    path("benchmarks/<record:number>/<revision:revision>", benchmarks.revision, name="record-revision"),
    *(
        pattern
        for library_ in LIBRARIES
        for pattern in [
            path(library_.path[1:], library.index, {"library": library_}, name=library_.kind),
            path(
                f"{library_.path[1:]}/compare",
                compare.compare,
                {"library": library_},
                name=f"{library_.kind}-compare",
            ),
            path(
                f"{library_.path[1:]}/<slug:slug>",
                subject.subject,
                {"library": library_},
                name=f"{library_.kind}-page",
            ),
        ]
    ),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
]

handler400 = "registry.views.errors.bad_request"
handler403 = "registry.views.errors.permission_denied"
handler404 = "registry.views.errors.page_not_found"
handler500 = "registry.views.errors.server_error"

"""Addresses as readers and clients type them: representations, trailing slashes, bytes that are no text."""

from urllib.parse import unquote_to_bytes

from django.http import HttpResponsePermanentRedirect
from django.utils.cache import patch_vary_headers

from registry.views.errors import bad_request

SUFFIXES = ("md", "csv")
EXEMPT = ("/admin/", "/static/")


def _exempt(path):
    return path.startswith(EXEMPT)


class TextOnly:
    """Refuses an address that is not UTF-8 text or holds control characters: nothing behind it can mean anything."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.representation = "html"
        # Django leaves %XX in a path where the bytes are no text, so such a path meets no page; a query it would mend.
        query = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
        try:
            text = request.path_info + unquote_to_bytes(query).decode()
        except UnicodeDecodeError:
            return bad_request(request, problems=["The address holds bytes that are not UTF-8 text."])
        if any(ord(character) < 32 or ord(character) == 127 for character in text):
            return bad_request(request, problems=["The address holds a control character, for example %00."])
        return self.get_response(request)


class Representation:
    """Says which representation is asked for: by suffix (/gpus.md), else by the Accept header, else HTML."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.representation = "html"
        if not _exempt(request.path_info):
            stem, dot, suffix = request.path_info.rpartition(".")
            if dot and suffix in SUFFIXES and not stem.endswith("/"):
                request.representation = suffix
                request.path_info = "/" if stem == "/index" else stem
            elif self._prefers_markdown(request):
                request.representation = "md"
        response = self.get_response(request)
        if not _exempt(request.path_info):
            patch_vary_headers(response, ["Accept"])
        return response

    @staticmethod
    def _prefers_markdown(request):
        """Markdown only when it is named and HTML is not liked better; a bare */* means a browser or a script."""
        try:
            accepted = request.accepted_types
        except (
            ValueError
        ):  # a parameter in an encoding that is none: a header nobody can read prefers nothing
            return False
        quality = {f"{media.main_type}/{media.sub_type}": media.quality for media in accepted}
        markdown = quality.get("text/markdown", 0)
        return markdown > 0 and markdown >= quality.get("text/html", 0)


class NoTrailingSlash:
    """Redirects /gpus/ to /gpus where that page exists; leading slashes collapse, so it never leads off the site."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        path = request.path_info
        if request.method not in ("GET", "HEAD") or path == "/" or not path.endswith("/") or _exempt(path):
            return self.get_response(request)
        target = request.path_info = "/" + path.strip("/")
        response = self.get_response(request)
        if response.status_code == 404:
            return response
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{target}?{query}" if query else target)

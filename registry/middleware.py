"""Addresses as readers and clients type them: representations, trailing slashes, bytes that are no text."""

from urllib.parse import unquote_to_bytes

from django.http import HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve

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
        address = f"{request.META.get('PATH_INFO', '')}?{request.META.get('QUERY_STRING', '')}"
        try:
            text = unquote_to_bytes(address.encode("latin-1", "replace").decode("latin-1")).decode()
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
            if dot and suffix in SUFFIXES:
                request.representation = suffix
                request.path_info = "/" if stem == "/index" else stem
            elif self._prefers_markdown(request):
                request.representation = "md"
        return self.get_response(request)

    @staticmethod
    def _prefers_markdown(request):
        """Markdown only when it is named and HTML is not liked better; a bare */* means a browser or a script."""
        quality = {media.match and str(media).partition(";")[0]: media.quality for media in request.accepted_types}
        markdown = quality.get("text/markdown", 0)
        return markdown > 0 and markdown >= quality.get("text/html", 0)


class NoTrailingSlash:
    """Redirects /gpus/ to /gpus where that page exists; leading slashes collapse, so it never leads off the site."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        path = request.path_info
        if request.method in ("GET", "HEAD") and path != "/" and path.endswith("/") and not _exempt(path):
            target = "/" + path.strip("/")
            if target == "/" or self._exists(target):
                query = request.META.get("QUERY_STRING", "")
                return HttpResponsePermanentRedirect(f"{target}?{query}" if query else target)
        return self.get_response(request)

    @staticmethod
    def _exists(path):
        try:
            resolve(path)
        except Resolver404:
            return False
        return True

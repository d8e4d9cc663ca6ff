"""What a request may say of its body's type before Django reads it.

Django decodes the query of a request in the charset its Content-Type names: another page under the same address and
ETag, or an error, for whoever names an odd one. Our forms are UTF-8, so the charset is never asked.
"""

import re

_BOUNDARY = re.compile(r"""\bboundary="?([0-9A-Za-z'()+_,./:=?-]{1,70})"?""")


def plain_content_type(application):
    """The WSGI application behind requests whose Content-Type is a bare media type, with a boundary where it needs one."""

    def answer(environ, start_response):
        stated = environ.pop("CONTENT_TYPE", "")
        if stated and environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            environ["CONTENT_TYPE"] = _plain(stated)
        return application(environ, start_response)

    return answer


def _plain(stated):
    media_type, _, parameters = stated.partition(";")
    media_type = media_type.strip().lower()
    boundary = _BOUNDARY.search(parameters)
    return f"{media_type}; boundary={boundary[1]}" if boundary else media_type

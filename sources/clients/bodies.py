"""Bodies: read to a limit, unpacked to a limit, and turned into text by the encoding they are really in."""

import codecs
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from sources.clients.exchange import NotFetchedError

_STEP = 1 << 16
_PACKED = {"gzip", "x-gzip", "deflate"}
_OTHER = {"br", "zstd", "compress", "x-compress"}
_TEXT_TYPES = re.compile(
    r"text/.+|application/(?:[\w.+-]*\+)?(?:xml|json|xhtml|javascript|x-javascript|yaml|x-yaml)(?:\+xml)?"
)
# Encodings of text only: Python's registry also holds compressors, and decoders that take quadratic time.
_CHARSETS = re.compile(
    r"(?:utf|iso8859|iso2022|cp|windows|latin|koi8|mac|gb|big5|euc|shift|sjis|johab|hz|ascii|us_ascii|tis|kz|ptcp|l\d)[\w]*"
)
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})", re.I)
_XML = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:+-]{1,40})")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# What some pages call Latin-1 is read as browsers do: Microsoft's superset of it.
_SUPERSETS = {"iso8859-1": "cp1252", "ascii": "cp1252", "latin-1": "cp1252"}


@dataclass(frozen=True)
class Body:
    """What was read of a body."""

    content: bytes
    bytes_read: int  # packed
    truncated: bool  # stopped at the limit


def unpacked(chunks: Iterator[bytes], encoding: str, limit: int) -> Body:
    """Read and unpack a body up to a limit of bytes for either form. Raises NotFetchedError "bad_encoding" or "cut"."""
    names = [name.strip() for name in encoding.lower().split(",")]
    if any(name in _OTHER for name in names) or sum(name in _PACKED for name in names) > 1:
        raise NotFetchedError(
            "bad_encoding", f"The body is packed as “{encoding[:40]}”, which was not asked for."
        )
    packing = next((name for name in names if name in _PACKED), "")
    unpacker = _Unpacker(packing, limit) if packing else None
    content = bytearray()
    count = 0
    for chunk in chunks:
        room = limit - count
        count += len(chunk)
        content += unpacker.feed(chunk[:room]) if unpacker else chunk[:room]
        if count > limit or (unpacker and unpacker.overflow):
            return Body(bytes(content), min(count, limit), True)
    if unpacker and count and not unpacker.complete:
        raise NotFetchedError("cut", "The packed body ended before its end mark.")
    return Body(bytes(content), count, False)


class _Unpacker:
    """zlib with a limit: never makes more bytes than asked for, whatever the input promises."""

    def __init__(self, packing: str, limit: int) -> None:
        self._packing = packing
        self._left = limit
        self._inflater = self._new()
        self._started = False
        self.overflow = False
        self.complete = False

    def _new(self, raw: bool = False) -> "zlib._Decompress":
        return zlib.decompressobj(-zlib.MAX_WBITS if raw else zlib.MAX_WBITS | 32)

    def feed(self, data: bytes) -> bytes:
        """Unpack the next bytes; sets `overflow` where there would be more than the limit."""
        out = bytearray()
        while data and not self.overflow:
            if self._inflater.eof:  # a further member of a gzip file; anything else after the end is padding
                if not data.startswith(b"\x1f\x8b"):
                    break
                self._inflater = self._new()
            # One byte more than allowed tells "exactly the limit" from "more than it".
            made = self._inflate(data, self._left + 1)
            self.overflow = len(made) > self._left
            out += made[: self._left]
            self._left -= min(len(made), self._left)
            data = self._inflater.unused_data if self._inflater.eof else self._inflater.unconsumed_tail
        self.complete = self._inflater.eof
        return bytes(out)

    def _inflate(self, data: bytes, most: int) -> bytes:
        try:
            made = self._inflater.decompress(data, most)
        except zlib.error:
            if self._started or self._packing != "deflate":
                raise NotFetchedError(
                    "bad_encoding", f"The body is not packed as “{self._packing}”, as it says."
                ) from None
            # "deflate" should be zlib's format, but many servers send it bare.
            self._inflater = self._new(raw=True)
            self._started = True
            return self._inflate(data, most)
        self._started = True
        return made


def is_text(content_type: str, content: bytes) -> bool:
    """Whether a body is to be read as text: by its type, or by its looks where no type is stated."""
    if content_type:
        return bool(_TEXT_TYPES.fullmatch(content_type)) and not content.startswith(b"%PDF-")
    beginning = content[:1024]
    return b"\0" not in beginning and not beginning.startswith(
        (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8", b"PK\x03\x04")
    )


def decoded(content: bytes, stated: str, truncated: bool = False) -> tuple[str, str]:
    """The text of a body and the encoding used. Never fails: what cannot be read becomes U+FFFD; NUL is left out.

    Bytes that are valid UTF-8 are UTF-8, whatever a header says; after that header, meta element, Western European.
    """
    charset = _charset(content, stated, truncated)
    text = content.decode(charset, errors="replace").replace("\0", "")
    return text, charset.removesuffix("-sig")


def _charset(content: bytes, stated: str, truncated: bool) -> str:
    for mark, name in _BOMS:
        if content.startswith(mark):
            return name
    declared = _known(stated) or _known(_declared(content))
    # These are readable as UTF-8 without being it: every byte of theirs may be an ASCII one.
    if declared.startswith(("utf-16", "utf-32", "iso2022", "hz")):
        return declared
    if _is_utf8(content, truncated):
        return "utf-8"
    return "cp1252" if declared in ("", "utf-8") else declared


def _declared(content: bytes) -> str:
    found = _META.search(content[:4096]) or _XML.match(content[:256])
    return found[1].decode("ascii", "replace") if found else ""


def _known(name: str) -> str:
    """Python's name of an encoding of text, "" for none such."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    plain = re.sub(r"^iso_(?=\d)", "iso", plain)
    if not _CHARSETS.fullmatch(plain) or plain in ("utf_7", "utf7"):
        return ""
    try:
        found = codecs.lookup(plain).name
    except (LookupError, ValueError):
        return ""
    return _SUPERSETS.get(found, found)


def _is_utf8(content: bytes, truncated: bool) -> bool:
    """Whether the bytes are UTF-8; a body that was cut may end within a character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content, final=not truncated)
    except UnicodeDecodeError:
        return False
    return True

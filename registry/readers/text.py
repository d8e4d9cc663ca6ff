"""Which encoding a file has, and what a text of it may look like once it is kept."""

import re
import unicodedata

from registry.readers.errors import Unreadable, quoted

MAX_BYTES = 50 * 1024 * 1024
PACKED = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"PK\x05\x06": "an empty zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"SQLite format 3": "an SQLite database",
    b"%PDF": "a PDF",
}
MAX_TEXT = 300  # characters of one fact


def as_utf8(data: bytes) -> bytes:
    """The file's text as UTF-8 with LF line ends and no byte order mark. Raises Unreadable."""
    if len(data) > MAX_BYTES:
        raise Unreadable(
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} are read. "
            "Export the results without per-request details."
        )
    for magic, kind in PACKED.items():
        if data.startswith(magic):
            raise Unreadable(f"The file is {kind}, not a result file. Unpack it and upload the file inside.")
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xfe\xff"):
        raise Unreadable("The file is empty. Upload the result file the tool wrote.")
    encoding = encoding_of(data)
    if encoding.startswith("utf-16") and len(data) % 2 and data.endswith(b"\n"):
        data = data[
            :-1
        ]  # a tool that ends every file with a line feed put one byte behind two-byte characters
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(
            f"The file is not text in {encoding.upper()} (byte {error.start:,} is {data[error.start]:#04x}). "
            "Save it as UTF-8 and upload it again."
        ) from None
    if "\x00" in text:
        raise Unreadable("The file holds NUL bytes, so it is no text. Upload the result file the tool wrote.")
    if encoding == "utf-8" and not data.startswith(b"\xef\xbb\xbf"):
        del text
    else:
        data = text.removeprefix("\ufeff").encode()
    if b"\r" in data:
        # A lone CR is a progress bar that wrote over its own line.
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def encoding_of(data: bytes) -> str:
    """By byte order mark, or by where the NUL bytes of ASCII characters stand."""
    if data.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "utf-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    head = data[:200]
    if len(head) >= 4 and b"\x00" in head:
        if not any(head[0::2]):
            return "utf-16-be"
        if not any(head[1::2]):
            return "utf-16-le"
    return "utf-8"


def kept(text: str) -> str | None:
    """A text of the file as a fact: one line of printable characters, of bounded length; None if nothing is left."""
    shown = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text[: 4 * MAX_TEXT])
    # An address names somebody's machine, whatever it stands in.
    shown = " ".join(word for word in shown.split() if "://" not in word)
    if len(shown) > MAX_TEXT:
        raise Unreadable(
            f"A text of more than {MAX_TEXT} characters stands where a name belongs: {quoted(shown)}. "
            "Correct the file."
        )
    return shown or None


CACHE = re.compile(
    r"models--(?P<owner>[^/\\]+?)--(?P<name>[^/\\]+)(?:[/\\]snapshots[/\\](?P<revision>[0-9a-f]{40}))?"
)
# A name on a hub has an owner and perhaps a provider before it; what begins like a path or is longer is one.
PATH = re.compile(r"^(?:[/\\~.]|[A-Za-z]:[/\\]|\w+://)|(?:[^/]*/){3}|\\", re.ASCII)


def model_name(text: str) -> tuple[str | None, str | None, bool]:
    """A model as printed, without the folders of whoever ran it: name, revision, whether folders were dropped.

    `…/models--org--name/snapshots/<40 hex>` is the cache layout of huggingface_hub and names both.
    """
    if found := CACHE.search(text):
        return kept(f"{found['owner']}/{found['name']}"), found["revision"], False
    if PATH.search(text):
        return kept(re.split(r"[/\\]", text.rstrip("/\\"))[-1]), None, True
    return kept(text), None, False

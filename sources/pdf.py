"""The text of a PDF, read in a process of its own.

A PDF is a program in small: a hostile one can keep its reader busy for hours or fill the memory. The child gives itself
limits on processor time and memory and is ended at the deadline, so that a worker loses seconds and never itself.
"""

import io
import json
import logging
import resource
import subprocess
import sys
import threading
from dataclasses import dataclass

from pypdf import PdfReader

MOST_MEMORY = 768 * 2**20  # bytes of address space
MOST_PAGES = 400
MOST_TEXT = 2_000_000  # characters
_AT_ONCE = threading.BoundedSemaphore(2)  # children of one process: each may fill its whole memory


@dataclass(frozen=True)
class PdfText:
    """The text of a PDF, one line of it a line, and its title ("" where it names none)."""

    text: str = ""
    title: str = ""


def pdf_text(body: bytes, seconds: float = 5.0) -> tuple[PdfText, str]:
    """Return the text and the reason why it may not be all of it ("" where it is)."""
    try:
        with _AT_ONCE:
            child = subprocess.run(
                [sys.executable, "-I", __file__, str(max(1, round(seconds)))],
                input=body,
                capture_output=True,
                timeout=seconds + 1,
                check=False,
            )
    except subprocess.TimeoutExpired:
        return PdfText(), "reading the PDF took too long"
    try:
        found = json.loads(child.stdout)
        return PdfText(found["text"], found["title"]), found["why"]
    except (ValueError, KeyError, TypeError):
        return PdfText(), "the PDF could not be read"


def _read(body: bytes) -> dict[str, str]:
    pages: list[str] = []
    title = why = ""
    try:
        reader = PdfReader(io.BytesIO(body), strict=False)
        title = str((reader.metadata and reader.metadata.title) or "")
        for number, page in enumerate(reader.pages):
            if number >= MOST_PAGES or sum(map(len, pages)) > MOST_TEXT:
                why = "only its first pages were read"
                break
            pages.append(page.extract_text())
    except Exception as error:  # whatever a broken file makes the library raise, what was read so far is kept
        why = f"the PDF could not be read to its end ({type(error).__name__})"
    text = "\n".join(pages)[:MOST_TEXT]
    if not text.strip() and not why:
        why = "the PDF holds no text, only pictures of it"
    return {"text": text, "title": title[:300], "why": why}


def _main() -> None:
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    logging.disable(logging.CRITICAL)
    answer = json.dumps(_read(sys.stdin.buffer.read()))
    sys.stdout.write(answer.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))


if __name__ == "__main__":
    _main()

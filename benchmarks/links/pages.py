"""The pages that everybody is asked to check: articles of about 4 KB, each with words of its own."""

import random
from dataclasses import dataclass
from html import escape

SEED = 20_000  # any number: the same one gives the same pages and the same order to every peer
PARAGRAPHS, SENTENCES = 6, 4

_WHO = (
    "the board", "the data sheet", "the second revision", "the reference system", "the vendor's table", "the driver",
    "the memory controller", "the scheduler", "the serving stack", "the laboratory", "the test bench", "the firmware",
)  # fmt: skip
_DOES = (
    "reaches", "states", "sustains", "is rated at", "was measured at", "draws", "delivers", "is limited to",
    "falls back to", "holds", "reports", "is specified for",
)  # fmt: skip
_WHAT = (
    "GB/s of memory bandwidth", "watts at the wall", "TFLOPS in dense arithmetic", "tokens a second", "GB of memory",
    "requests a minute", "ms to the first token", "degrees at the inlet", "lanes", "MB of cache",
)  # fmt: skip
_WHEN = (
    "when every engine is busy", "after an hour of load", "with the default settings", "in the larger of two chassis",
    "once the cache is warm", "at a batch size of one", "before the update of last spring", "in both directions together",
    "as long as the fans are at full speed", "with error correction switched on",
)  # fmt: skip
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><style>body{{max-width:40em;margin:auto}}nav a{{padding:.5em}}</style>
</head><body><header><nav><a href="#top">Home</a><a href="#notes">Notes</a><a href="#about">About</a></nav></header>
<main id="top"><article><h1>{title}</h1>
{paragraphs}
</article></main><footer id="about"><p>Institute of Measured Things, note {number}. All figures are made up.</p></footer>
</body></html>
"""


@dataclass(frozen=True)
class Article:
    """One page: its title, the words a claim cites from it, and its HTML in bytes."""

    title: str
    quotation: str
    html: bytes


def article(number: int) -> Article:
    """The article of a number; always the same one."""
    chance = random.Random(SEED + number)
    title = f"Note {number}: what {chance.choice(_WHO)} {chance.choice(_DOES)}"
    paragraphs = [[_sentence(chance) for _ in range(SENTENCES)] for _ in range(PARAGRAPHS)]
    html = _PAGE.format(
        title=escape(title),
        number=number,
        paragraphs="\n".join(
            f'<h2>Part {at}</h2>\n<p class="text">{escape(" ".join(sentences))}</p>'
            for at, sentences in enumerate(paragraphs, 1)
        ),
    )
    return Article(title, chance.choice(chance.choice(paragraphs)), html.encode())


def _sentence(chance: random.Random) -> str:
    first, second = chance.sample(_WHO, 2)
    text = (
        f"{first} {chance.choice(_DOES)} {chance.randint(2, 9999):,} {chance.choice(_WHAT)} {chance.choice(_WHEN)}, "
        f"while {second} {chance.choice(_DOES)} {chance.randint(2, 999)}.{chance.randint(0, 9)} {chance.choice(_WHAT)}."
    )
    return text[0].upper() + text[1:]


def hosts(count: int) -> list[str]:
    """Loopback addresses, each a host of its own."""
    return [f"127.66.{1 + number // 250}.{1 + number % 250}" for number in range(count)]


def path(number: int) -> str:
    """The path of an article on its host."""
    return f"/notes/{number}"


def addresses(count: int, host_count: int, port: int) -> list[tuple[int, str]]:
    """Article numbers with their addresses, spread evenly over the hosts, in an order that knows nothing of hosts."""
    names = hosts(host_count)
    listed = [
        (number, f"http://{names[number % host_count]}:{port}{path(number)}") for number in range(count)
    ]
    random.Random(SEED).shuffle(listed)
    return listed

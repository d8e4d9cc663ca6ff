"""The Markdown twin of a page, made from the very HTML that readers get.

Knows our own templates (navigation, main, footer, citation marks, badges, drawers) and nothing of Django. Every
text in these regions is in the twin, except that of form controls. One pass over the HTML, one over the tree:
linear in its size.
"""

import re
from dataclasses import dataclass
from urllib.parse import urldefrag

from registry.twin_blocks import Writer, as_inline
from registry.twin_tree import Node, parse

GENERATED = "This is a generated representation of the public HTML page."


@dataclass(frozen=True)
class Regions:
    """The parts of a page that a reader sees; each is None where a page has none."""

    breadcrumb: Node | None
    navigation: Node | None
    main: Node | None
    footer: Node | None


def markdown_twin(html: str, *, title: str, description: str, canonical: str, last_updated: str) -> str:
    """Give back the twin of a rendered page: YAML front matter, then CommonMark with GFM tables.

    `html` is the whole page (or just its <main>), `title` the browser's title with the name of the site,
    `canonical` the absolute address of the HTML page, `last_updated` an ISO date. Raises ValueError where the
    page has no <main id="main">.
    """
    regions = _regions(parse(html))
    if regions.main is None:
        raise ValueError('The page has no element with id="main"; base.html gives one.')
    writer = Writer(urldefrag(canonical).url)
    blocks = [_front_matter(title, description, canonical, last_updated), *_heading(writer, regions.main)]
    blocks += _opening(writer, regions, description, canonical)
    blocks += writer.blocks(regions.main)
    blocks += writer.provenance()
    if regions.footer is not None:
        blocks += _footer(writer, regions.footer)
    else:
        blocks.append(GENERATED)
    return "\n\n".join(blocks) + "\n"


def _regions(page: Node) -> Regions:
    found = {node.attrs.get("id"): node for node in page.walk() if node.attrs.get("id")}
    return Regions(*(found.get(name) for name in ("breadcrumb", "navigation", "main", "footer")))


def _front_matter(title: str, description: str, canonical: str, last_updated: str) -> str:
    values = {
        "title": title,
        "description": description,
        "canonical": canonical,
        "last-updated": last_updated,
    }
    return "\n".join(["---", *(f"{key}: {_quoted(value)}" for key, value in values.items()), "---"])


def _quoted(value: str) -> str:
    """A YAML double-quoted scalar on one line."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ").replace("\t", " ")
    return '"' + re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]", _yaml_escape, escaped) + '"'


def _yaml_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"


def _heading(writer: Writer, main: Node) -> list[str]:
    return ["# " + writer.inline(node) for node in main.walk() if node.tag == "h1"][:1]


def _opening(writer: Writer, regions: Regions, description: str, canonical: str) -> list[str]:
    """Address and description; then where the page stands and where the research leads."""
    blocks = [f"Canonical HTML: {writer.link(as_inline(canonical), canonical)}"]
    blocks.append("> " + as_inline(description))
    if regions.breadcrumb is not None:
        steps = [writer.inline(step) for step in regions.breadcrumb.walk() if step.tag == "li"]
        blocks.append("Breadcrumb: " + " / ".join(steps))
    if regions.navigation is not None:
        blocks += ["Research navigation:", *writer.blocks(regions.navigation)]
    return blocks


def _footer(writer: Writer, footer: Node) -> list[str]:
    """The footer with the sentence about the twin itself in front of the closing notice."""
    blocks = ["---"]
    for node in footer.elements():
        if node.attrs.get("id") == "notice":
            blocks.append(GENERATED)
        blocks += writer.blocks(Node("div", {}, [node]))
    return blocks if GENERATED in blocks else [*blocks, GENERATED]

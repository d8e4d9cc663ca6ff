"""The Markdown twin says what the page says, and reads the same in any CommonMark reader."""

import html
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from registry.twin import markdown_twin
from registry.twin_tree import Node, parse

CANONICAL = "https://registry.example/gpus/h200-sxm"
DESCRIPTION = "One accelerator of the Hopper family, on an SXM board."

PAGE = f"""
<header class="masthead"><nav class="navigation" id="navigation" aria-label="Research"><ul>
<li><a href="/gpus" aria-current="true">GPU Library</a></li>
<li><a href="/models">Model Index</a></li></ul></nav></header>
<nav class="breadcrumb" id="breadcrumb" aria-label="Breadcrumb"><ol><li><a href="/">Evidence Registry</a></li>
<li><a href="/gpus">GPU Library</a></li><li><span aria-current="page">NVIDIA H200 SXM</span></li></ol></nav>
<main id="main" tabindex="-1"><header class="page-head"><p class="kicker">NVIDIA / Accelerator</p>
<h1>NVIDIA H200 SXM</h1>
<p class="description">{DESCRIPTION}</p>
<p class="record-line">The editors · Revision 7 · Editorial record:
<time datetime="2026-10-13">2026-10-13</time></p></header>
<h2 id="memory">Memory</h2>
<p>Two figures are <strong>published</strong>; neither is <em>measured</em> here.
See <a href="#sources">the sources</a>.</p>
<div class="table-region" role="region" tabindex="0"><table><caption id="t">Memory of the device</caption>
<thead><tr><th scope="col">Property</th><th scope="col">Value</th><th scope="col">Verified</th></tr></thead>
<tbody><tr><th scope="rowgroup" colspan="3"><span>Capacity</span></th></tr>
<tr><th scope="row">Memory | HBM3e</th><td><div class="claim"><span class="value">141\u202fGB</span><sup class="marks"
><button type="button" class="mark" popovertarget="d1" aria-label="Source 1: NVIDIA, p. 2">[1]</button></sup> <span
 class="badge badge-caution">Manufacturer figure, not reproduced</span></div><div class="claim"><span
 class="value">144\u202fGB</span></div></td>
<td><time datetime="2026-10-13">2026-10-13</time></td></tr></tbody></table></div>
<form class="filters"><label for="q">Maker</label><input id="q"><button>Show</button><p>12 of 33 shown</p></form>
<dl class="facts"><div><dt>Identifier</dt><dd><code>nvidia/h200_sxm</code></dd></div></dl>
<ol class="sources" id="sources"><li id="source-1"><span class="source-number">[1]</span><div class="source-body">
<p><a href="https://maker.example/h200(1).pdf?a=1&amp;copy=2">H200 &amp; HGX
<span role="img" aria-label="other site">↱</span></a>
 — NVIDIA. Memory; peak rates. Publication: date not stated in the reviewed source. Verified: 2026-10-13.</p>
</div></li></ol>
<ul><li>First<ul><li>Nested</li></ul></li></ul>
<div class="provenance"><h2 class="provenance-heading" id="provenance">Provenance</h2>
<div popover class="drawer" id="d1"><button type="button" popovertarget="d1">×</button>
<p class="drawer-title">Memory capacity</p>
<blockquote><p>“141GB”</p></blockquote></div></div></main>
<footer id="footer"><nav><h2>Every section and record</h2><h3><a href="/gpus">GPU Library</a></h3>
<ul><li><a href="/gpus/h200-sxm">NVIDIA H200 SXM</a></li></ul></nav>
<div id="notice"><p>Diagrams are conceptual.</p></div></footer>
"""


def twin_of(page: str) -> str:
    return markdown_twin(
        page,
        title="NVIDIA H200 SXM | Evidence Registry",
        description=DESCRIPTION,
        canonical=CANONICAL,
        last_updated="2026-10-13",
    )


def body_of(twin: str) -> str:
    return twin.split("\n---\n", 1)[1]


def rendered(twin: str) -> Node:
    return parse(MarkdownIt("commonmark").enable("table").render(body_of(twin)))


def words(node: Node) -> list[str]:
    """Words below `node` without form controls and without punctuation that the twin may add."""
    found: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            found += re.findall(r"[^\s:()]+", child)
        elif not (child.tag in ("input", "label") or child.tag == "button" and not child.has_class("mark")):
            found += words(child)
    return found


def test_every_word_of_the_page_is_in_the_twin():
    on_page, in_twin = words(parse(PAGE)), words(rendered(twin_of(PAGE)))
    missing = [word for word in on_page if word not in in_twin]
    assert missing == []


def test_front_matter_is_the_four_fields_quoted_and_in_order():
    twin = markdown_twin(
        PAGE,
        title='A & B "quoted" \\ | Site',
        description="x: y\n# z",
        canonical=CANONICAL,
        last_updated="2026-10-13",
    )
    assert twin.split("\n")[:6] == [
        "---",
        'title: "A & B \\"quoted\\" \\\\ | Site"',
        'description: "x: y # z"',
        f'canonical: "{CANONICAL}"',
        'last-updated: "2026-10-13"',
        "---",
    ]


def test_twin_opens_with_heading_canonical_and_description():
    assert body_of(twin_of(PAGE)).strip().split("\n\n")[:3] == [
        "# NVIDIA H200 SXM",
        f"Canonical HTML: [{CANONICAL}]({CANONICAL})",
        f"> {DESCRIPTION}",
    ]


def test_every_link_is_absolute():
    links = [node.attrs["href"] for node in rendered(twin_of(PAGE)).walk() if node.tag == "a"]
    assert links
    assert all(link.startswith("https://") for link in links)


def test_a_mark_links_to_its_source_and_a_badge_stands_in_brackets():
    row = next(line for line in twin_of(PAGE).split("\n") if "HBM3e" in line)
    assert row == (
        rf"| Memory \| HBM3e | 141{chr(0x202F)}GB[\[1\]]({CANONICAL}#source-1) (Manufacturer figure, not reproduced)"
        f"<br>144{chr(0x202F)}GB | 2026-10-13 |"
    )


def test_an_address_keeps_every_character():
    links = [node.attrs["href"] for node in rendered(twin_of(PAGE)).walk() if node.tag == "a"]
    assert "https://maker.example/h200(1).pdf?a=1&copy=2" in links


def test_drawers_come_as_a_list_under_their_own_heading():
    assert "## Provenance\n\n- Memory capacity\n\n  > “141GB”\n" in twin_of(PAGE)


def test_the_closing_notice_says_the_twin_is_generated():
    assert twin_of(PAGE).endswith(
        "This is a generated representation of the public HTML page.\n\nDiagrams are conceptual.\n"
    )


def test_a_page_without_main_is_refused():
    with pytest.raises(ValueError, match="base.html"):
        twin_of("<p>nothing</p>")


AWKWARD = st.text(
    alphabet=st.sampled_from(list("ab 1.)*_`[]<>|#-+=~!&;\\:/\"'(){}\u202f“é@^$%")), min_size=1, max_size=40
)


def one_line(text: str) -> str:
    """Blanks collapsed as a browser does; narrow ones kept inside, not at the ends, where no reader sees them."""
    return re.sub(r"[ \t\n\r\f]+", " ", text).strip()


def without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


@given(AWKWARD)
def test_any_text_reads_back_as_itself(text):
    twin = twin_of(f'<main id="main"><h1>T</h1><p>{html.escape(text)}</p></main>')
    paragraphs = [node.text().strip() for node in rendered(twin).elements() if node.tag == "p"]
    assert " ".join(paragraphs[1:-1]) == one_line(text)


@given(AWKWARD, AWKWARD, AWKWARD)
def test_any_text_reads_back_with_emphasis_links_and_headings_around_it(one, two, three):
    one, two, three = (html.escape(text) for text in (one, two, three))
    paragraph = f'{one}<strong>{two}</strong>{three}<em>{one}</em><a href="/x">{three}</a>'
    found = rendered(twin_of(f'<main id="main"><h1>T</h1><h2>{one}</h2><p>{paragraph}</p></main>'))
    expected = without_blanks(html.unescape(one + one + two + three + one + three))
    assert expected in without_blanks(found.text())


@given(AWKWARD, AWKWARD)
def test_any_text_stays_in_its_table_cell(one, two):
    page = (
        '<main id="main"><h1>T</h1><table><thead><tr><th>A</th><th>B</th></tr></thead>'
        f"<tbody><tr><td>{html.escape(one)}</td><td>{html.escape(two)}</td></tr></tbody></table></main>"
    )
    cells = [node.text().strip() for node in rendered(twin_of(page)).walk() if node.tag == "td"]
    assert cells == [one_line(one), one_line(two)]


def test_work_grows_with_the_cells_and_no_faster():
    cell = PAGE[PAGE.index('<div class="claim">') : PAGE.index("</td>")]

    def calls(times):
        drawers = "".join(
            f'<div popover id="p{n}"><p>Memory</p><blockquote><p>“141GB”</p></blockquote></div>'
            for n in range(6 * times)
        )
        rows = f'<tr><th scope="row">Memory</th>{f"<td>{cell}</td>" * 6}</tr>' * times
        counted = 0

        def count(frame, event, argument):
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            twin_of(f'<main id="main"><h1>T</h1><table><tbody>{rows}</tbody></table>{drawers}</main>')
        finally:
            sys.setprofile(None)
        return counted

    assert calls(150) < 6 * calls(30)

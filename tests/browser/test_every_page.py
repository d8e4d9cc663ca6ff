"""Every type of page in Chromium: light and dark, scripts on and off, narrow and in print."""

import pytest

pytestmark = pytest.mark.browser

TYPES = [
    "home", "resources", "library of GPUs", "library of models", "library of runtimes, filtered", "library without a match",
    "GPU", "GPU with every flag", "GPU as of a day", "model", "runtime", "comparison to choose", "comparison of five",
    "comparison of differences", "register", "register, filtered", "source", "source that moved",
    "source of the fixtures", "link checker", "claim", "corrected claim",
    "superseded revision", "withdrawn claim", "withdrawn revision", "corrections", "not found", "not understood",
]  # fmt: skip
REFUSED = {"withdrawn claim": "410", "not found": "404", "not understood": "400"}
WIDER = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  return [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > room + 1
    && !e.closest('[role=region]')).map(e => e.outerHTML.slice(0, 160)).slice(0, 5).concat('the page itself');
}"""


def test_every_type_of_page_is_tried(addresses):
    assert sorted(TYPES) == sorted(addresses)


@pytest.mark.parametrize("kind", TYPES)
def test_a_page_is_accessible_quiet_and_fits(addresses, open_page, axe, kind):
    plain = open_page(addresses[kind], javascript=False)
    assert accessible(plain, axe)
    page = open_page(addresses[kind])
    # What scripts leave alone has been judged; what they add to is judged again.
    assert page.content() == plain.content() or accessible(page, axe)
    for width in (375, 320):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(WIDER) == [], width
    # Chromium reports an answer of 4xx as an error of the page, which it is.
    status = REFUSED.get(kind, "no such status")
    for seen in (plain, page):
        assert [problem for problem in seen.problems if f"status of {status}" not in problem] == []


def accessible(page, axe):
    """True in both schemes, or the violations as a failure."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page) == [], scheme
    return True


@pytest.mark.parametrize(
    "kind", ["home", "GPU", "comparison of five", "register", "corrected claim", "corrections"]
)
def test_a_page_prints(addresses, open_page, kind):
    page = open_page(addresses[kind], color_scheme="dark")
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 10_000
    page.emulate_media(media="print")
    colours = page.evaluate(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert colours[0] == "rgb(0, 0, 0)"
    assert colours[1] in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")


def test_drawers_are_printed_as_notes(addresses, open_page):
    page = open_page(addresses["GPU with every flag"], javascript=False)
    drawer = page.locator("[popover]").first
    assert not drawer.is_visible()
    page.emulate_media(media="print")
    assert drawer.is_visible()
    assert not page.locator(".drawer-close").first.is_visible()


@pytest.mark.parametrize(
    "kind",
    [
        "home",
        "GPU",
        "comparison of five",
        "register",
        "claim",
        "corrections",
    ],
)
def test_text_of_double_size_still_fits(addresses, open_page, kind):
    page = open_page(addresses[kind], width=640, javascript=False)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(WIDER) == []


def test_no_request_leaves_this_site(addresses, open_page, live_site):
    page = open_page("/resources")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for kind in ("home", "GPU", "comparison of five"):
        page.goto(addresses[kind])
    assert [url for url in asked if not url.startswith((live_site.url, "data:"))] == []

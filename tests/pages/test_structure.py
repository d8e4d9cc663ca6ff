"""The site as a whole: no broken link, no orphan, no id twice, no level of heading skipped, no order of merit."""

import re
from collections import Counter
from urllib.parse import urldefrag

import pytest
from django.test import Client

from tests.pages.reading import page_of, part, text_of

FAR = 4
MERIT = r"\b(best|fastest|winner|leader(board)?|scores?|medal|superior|better|worse|rank(s|ed|ing)?|top \d+|number one)\b"
DISCLAIMERS = ["Nothing is ranked.", "No ranking is implied."]


def links_of(page):
    """Internal addresses on a page, without fragments → the fragments."""
    found = {}
    for node in page.walk():
        if node.tag == "a" and node.attrs.get("href", "").startswith(("/", "#")):
            address, fragment = urldefrag(node.attrs["href"])
            found.setdefault(address, set()).add(fragment)
    return found


@pytest.fixture(scope="module")
def crawl(published):
    """Address → (steps from the home page, tree) of everything that links lead to; an address that fails fails here."""
    reader = Client()
    pages, waiting = {}, [("/", 0)]
    for address, steps in waiting:
        if address in pages or steps > FAR:
            continue
        answer = reader.get(address)
        if address.partition("?")[0].endswith((".md", ".csv")):
            assert answer.status_code in (200, 410), address
            continue
        assert answer.status_code in (200, 410), (address, answer.status_code, answer.get("Location"))
        page = page_of(answer)
        pages[address] = (steps, page)
        waiting += [(link, steps + 1) for link in links_of(page) if link]
    return pages


def test_every_internal_link_leads_to_a_page_and_every_fragment_to_a_place(crawl):
    ids = {address: {node.attrs.get("id") for node in page.walk()} for address, (_, page) in crawl.items()}
    for address, (steps, page) in crawl.items():
        for link, fragments in links_of(page).items():
            target = link or address
            if target in ids:
                assert fragments - {""} <= ids[target], (address, link, fragments - ids[target])
            else:
                assert steps == FAR or target.partition("?")[0].endswith((".md", ".csv")), (address, link)


def test_every_record_is_two_steps_from_the_home_page(crawl, published):
    near = {address for address, (steps, _) in crawl.items() if steps <= 2}
    subjects = [published.a1, published.a2, published.b1, published.a3, *published.more]
    records = [f"/gpus/{subject.slug}" for subject in subjects]
    records += ["/models/quill-7b", "/models/quill-9-5b", "/inference-stack/loom", "/inference-stack/shuttle"]
    sources = ["sheet", "overview", "hearsay", "report", "old_sheet", "retracted", "card", "docs"]
    records += [f"/sources/{getattr(published, name).key}" for name in sources]
    records += [f"/claims/C-{number}" for number in range(1, 30) if number != published.withdrawn.number]
    records += [
        f"/claims/C-{published.withdrawn.number}/1",
        f"/claims/C-{published.second_revision.number}/2",
    ]
    assert set(records) - near == set()


def test_every_subject_is_one_step_from_every_page(crawl):
    for address, (_, page) in crawl.items():
        footer = links_of(part(page, "footer"))
        assert {
            "/gpus/aster-a1",
            "/models/quill-7b",
            "/inference-stack/loom",
            "/gpus/compare",
            "/sources",
        } <= footer.keys(), address


def test_every_id_stands_once_on_its_page(crawl):
    for address, (_, page) in crawl.items():
        ids = Counter(node.attrs["id"] for node in page.walk() if node.attrs.get("id"))
        assert [name for name, times in ids.items() if times > 1] == [], address


def test_every_reference_to_an_id_is_met(crawl):
    for address, (_, page) in crawl.items():
        ids = {node.attrs.get("id") for node in page.walk()}
        for node in page.walk():
            for name in ("aria-labelledby", "aria-describedby", "for", "popovertarget"):
                assert set(node.attrs.get(name, "").split()) <= ids, (address, node.attrs)


def test_every_mark_opens_a_drawer_and_every_drawer_has_a_mark(crawl):
    for address, (_, page) in crawl.items():
        drawers = {node.attrs["id"] for node in page.walk() if "popover" in node.attrs}
        marks = [node for node in page.walk() if node.has_class("mark")]
        assert {mark.attrs["popovertarget"] for mark in marks} == drawers, address
        sources = {node.attrs["id"] for node in page.walk() if node.attrs.get("id", "").startswith("source-")}
        assert {"source-" + mark.text().strip("[]") for mark in marks} <= sources, address


def test_every_published_value_carries_a_mark(crawl):
    for address, (_, page) in crawl.items():
        for claim in (node for node in page.walk() if node.has_class("claim")):
            assert any(node.has_class("mark") for node in claim.walk()), (address, text_of(claim))


def test_headings_skip_no_level_and_a_page_has_one_title(crawl):
    for address, (_, page) in crawl.items():
        levels = [int(node.tag[1]) for node in page.walk() if re.fullmatch("h[1-6]", node.tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1, address
        assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False)), address


def test_titles_and_descriptions_are_unlike_each_other(crawl):
    titles = Counter(
        text_of(next(node for node in page.walk() if node.tag == "title"))
        for address, (_, page) in crawl.items()
        if "?" not in address and not re.match(r"/claims/C-\d+/\d+$", address)
    )
    assert [title for title, times in titles.items() if times > 1] == []


def test_no_page_ranks_anything(crawl):
    for address, (_, page) in crawl.items():
        text = text_of(page)
        for words in DISCLAIMERS:
            text = text.replace(words, "")
        assert not re.search(MERIT, text, re.I), (address, re.search(MERIT, text, re.I))


def test_libraries_and_footer_stand_by_name(crawl):
    for address in ("/gpus", "/models", "/inference-stack"):
        page = crawl[address][1]
        rows = [
            row for row in part(page, "main").walk() if row.tag == "th" and row.attrs.get("scope") == "row"
        ]
        names = [text_of(row) for row in rows]
        assert names == sorted(names, key=str.casefold)
        for section in (node for node in part(page, "footer").walk() if node.has_class("foot-section")):
            items = [text_of(item) for item in section.walk() if item.tag == "li"]
            if items[-1].startswith("Compare"):
                assert items[:-1] == sorted(items[:-1], key=str.casefold)


def test_no_markup_needs_an_exception_from_the_content_security_policy(crawl):
    for address, (_, page) in crawl.items():
        for node in page.walk():
            assert node.tag != "style", address
            assert not [name for name in node.attrs if name == "style" or name.startswith("on")], address
            assert node.tag != "script" or node.attrs["src"], address
            assert not node.attrs.get("href", "").lower().startswith(("javascript:", "data:")), address


def test_links_to_other_sites_are_marked_for_eyes_and_ears(crawl):
    for address, (_, page) in crawl.items():
        for link in part(page, "main").walk():
            if link.attrs.get("href", "").startswith("http") and link.tag == "a":
                mark = [node for node in link.walk() if node.attrs.get("aria-label") == "other site"]
                assert mark, (address, text_of(link))


def test_what_sources_say_is_text_and_never_markup(crawl):
    for address, (_, page) in crawl.items():
        assert not [node for node in page.walk() if node.tag in ("i", "b", "iframe", "img")], address


def test_dates_are_iso_and_stand_in_time_elements(crawl):
    for address, (_, page) in crawl.items():
        for node in page.walk():
            if node.tag == "time":
                assert re.fullmatch(r"\d{4}(-\d\d){0,2}", node.attrs["datetime"]), address
                assert node.attrs["datetime"] == text_of(node)


def test_contents_name_parts_of_the_page_in_their_order(crawl):
    for address, (_, page) in crawl.items():
        main = part(page, "main")
        contents = next((node for node in main.walk() if node.has_class("contents")), None)
        if contents is None:
            continue
        wanted = [node.attrs["href"][1:] for node in contents.walk() if node.tag == "a"]
        order = [node.attrs["id"] for node in main.walk() if node.attrs.get("id") in wanted]
        assert order == wanted, address

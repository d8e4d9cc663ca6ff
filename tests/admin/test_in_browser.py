"""Editors' pages in Chromium: no broken policy, no barrier, and the whole way from a grid to a review without a script."""

import pytest

pytestmark = pytest.mark.browser

PAGES = [
    "/admin/",
    "/admin/registry/claim/",
    "/admin/registry/claim/add/",
    "/admin/registry/reproduction/add/",
    "/admin/registry/benchmarkrecord/",
    "/admin/registry/benchmarkrecord/add/",
    "/admin/registry/benchmarkrecord/import/",
    "/admin/registry/subject/",
    "/admin/registry/subject/add/",
    "/admin/registry/property/",
    "/admin/registry/publication/",
    "/admin/sources/source/",
    "/admin/sources/source/add/",
    "/admin/sources/source/add/?address=https://docs.example.org/latest/x",
    "/admin/sources/source/add/?step=2&url=https://docs.example.org/x",
    "/admin/sources/source/1/change/",
    "/admin/sources/source/1/verify/",
    "/admin/sources/source/1/claims/",
    "/admin/sources/link/",
    "/admin/sources/link/?queue=moved",
    "/admin/sources/link/1/change/",
    "/admin/sources/organisation/add/",
    "/admin/auth/user/",
    "/admin/password_change/",
]


@pytest.fixture(autouse=True)
def _database():
    """The live site has a database of its own."""


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_editors_pages_have_no_barrier_and_break_no_policy(open_page, axe, color_scheme):
    page = open_page("/admin/", login=True, color_scheme=color_scheme)
    found = {}
    for path in PAGES:
        page.goto(path)
        problems = list(page.problems)
        violations = axe(page)
        page.problems.clear()  # what axe itself does to the page is not the page's fault
        if problems or violations:
            found[path] = problems + violations
    assert found == {}


def fill_row(page, number, **texts):
    for name, text in texts.items():
        page.locator(f"#id_rows-{number}-{name}").fill(text)


def test_from_grid_to_review_without_a_script(open_page):
    page = open_page("/admin/sources/source/?q=nvidia-h200", login=True, javascript=False)
    page.locator("#result_list tbody a").first.click()
    page.get_by_role("link", name="Enter claims from this source").click()
    subject = page.locator("#list-subjects option").first.get_attribute("value")
    board_power = page.locator("#list-properties option").evaluate_all(
        "options => options.filter(o => o.text.includes('[W] (GPU)')).map(o => o.value)"
    )
    fill_row(page, 0, subject="h200", property=board_power[0], text="up to 700 GB", locator="Specifications")
    page.get_by_role("button", name="Check").click()
    assert "1 problem in 1 row" in page.locator("#problems").inner_text()
    assert page.locator("#id_rows-0-text").input_value() == "up to 700 GB"
    assert subject
    fill_row(page, 0, text="up to 700 W")
    page.get_by_label("Note to the reviewer").fill("From the table.")
    page.get_by_role("button", name="Save and submit for review").click()
    assert "1 claim was submitted." in page.locator(".messagelist").inner_text()
    page.locator("#result_list tbody a").last.click()
    page.get_by_role("link", name="Review").click()
    assert "From the table." in page.locator("main").inner_text()
    assert "up to 700 W" in page.locator(".differences").inner_text()
    page.get_by_label("Reason").fill("Only a trial.")
    page.get_by_role("button", name="Return with this reason").click()
    page.get_by_role("link", name="Claims returned to you").click()
    page.locator("#result_list tbody a").first.click()
    assert "Only a trial." in page.locator(".returned").inner_text()
    page.get_by_role("link", name="Discard").click()
    page.get_by_role("button", name="Discard").click()
    assert "is discarded" in page.locator(".messagelist").inner_text() or "discarded" in page.content()


def test_another_citation_is_added_with_a_click_where_scripts_run(open_page):
    page = open_page("/admin/registry/claim/add/", login=True)
    page.get_by_role("button", name="Add another citation").click()
    assert page.locator("#id_citations-1-locator").is_visible()
    assert page.problems == []

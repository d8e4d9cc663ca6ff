"""What readers do with a page: open where a value comes from, skip, compare, filter; all of it also without scripts."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def javascript(request):
    return request.param


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.outerHTML.slice(0, 80)")


def test_a_mark_opens_its_drawer_by_click_and_escape_closes_it(addresses, open_page, javascript):
    page = open_page(addresses["GPU with every flag"], javascript=javascript)
    mark = page.locator("button.mark").first
    name = mark.get_attribute("id")
    drawer = page.locator(f"[id='{mark.get_attribute('popovertarget')}']")
    assert not drawer.is_visible()
    mark.click()
    assert drawer.is_visible()
    text = drawer.inner_text()
    for words in ("Verified: 2024-0", "Publication: ", "What rests on this source", "Claim C-"):
        assert words in text
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert focused(page) == name


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_mark_opens_its_drawer_by_keyboard_and_focus_returns(addresses, open_page, javascript, key):
    page = open_page(addresses["comparison of five"], javascript=javascript)
    mark = page.locator("table button.mark").nth(3)
    name = mark.get_attribute("id")
    mark.focus()
    page.keyboard.press(key)
    drawer = page.locator("[popover]:popover-open")
    assert drawer.count() == 1
    page.keyboard.press("Tab")
    inside = page.evaluate(
        "document.querySelector('[popover]:popover-open').contains(document.activeElement)"
    )
    assert inside
    page.keyboard.press("Escape")
    assert drawer.count() == 0
    assert focused(page) == name


def test_a_drawer_closes_by_its_button_and_by_a_click_elsewhere(addresses, open_page, javascript):
    page = open_page(addresses["claim"], javascript=javascript)
    mark, drawer = page.locator("button.mark").first, page.locator("[popover]:popover-open")
    mark.click()
    drawer.get_by_role("button", name="Close").click()
    assert drawer.count() == 0
    mark.click()
    assert drawer.count() == 1
    page.mouse.click(5, 5)
    assert drawer.count() == 0


def test_only_one_drawer_is_open_at_a_time(addresses, open_page):
    page = open_page(addresses["GPU with every flag"], javascript=False)
    marks = page.locator("tbody button.mark")
    marks.nth(0).press("Enter")
    page.evaluate("document.querySelectorAll('tbody button.mark')[3].click()")
    assert page.locator("[popover]:popover-open").count() == 1


def test_a_drawer_fits_a_small_screen(addresses, open_page):
    page = open_page(addresses["GPU with every flag"], javascript=False, width=320, height=568)
    page.locator("button.mark").first.click()
    box = page.locator("[popover]:popover-open").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 568


def test_an_open_drawer_is_accessible(addresses, open_page, axe):
    for scheme in ("light", "dark"):
        page = open_page(addresses["claim"], javascript=False, color_scheme=scheme)
        page.locator("button.mark").first.click()
        assert axe(page) == []


def test_the_skip_link_is_the_first_stop_and_leads_to_the_content(addresses, open_page, javascript):
    page = open_page(addresses["GPU"], javascript=javascript)
    page.keyboard.press("Tab")
    link = page.locator(".skip-link")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    box = link.bounding_box()
    assert box["y"] >= 0
    assert box["height"] > 0
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
    assert focused(page) == "main"


def test_a_comparison_is_made_and_changed_by_keyboard_alone_without_scripts(open_page):
    page = open_page("/gpus", javascript=False)
    for slug in ("h200", "h100"):
        page.locator(f"#pick-{slug}").focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Compare the ticked GPUs").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/gpus/compare?ids=*")
    assert page.url.endswith("/gpus/compare?ids=h100,h200")
    page.get_by_label("Add", exact=True).focus()
    page.keyboard.type("AMD Instinct MI300X")
    page.get_by_label("Only differences").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**ids=h100,h200,mi300x**")
    assert page.url.endswith("?ids=h100,h200,mi300x&diff=1")
    assert page.get_by_label("Only differences").is_checked()
    page.get_by_role("link", name="Remove").first.press("Enter")
    page.wait_for_url("**ids=h200,mi300x**")
    assert (
        page.get_by_label("Address of this comparison")
        .input_value()
        .endswith("/gpus/compare?ids=h200,mi300x&diff=1")
    )


def test_a_scrolling_table_is_reached_by_keyboard_and_is_no_trap(addresses, open_page):
    page = open_page(addresses["comparison of five"], javascript=False, width=375)
    region = page.locator("[role=region][tabindex='0']").first
    region.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('[role=region]').scrollLeft > 0")
    seen = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.add(focused(page))
    assert len(seen) > 30


def test_the_register_is_filtered_without_scripts(open_page):
    page = open_page("/sources", javascript=False)
    page.get_by_label("Kind").select_option("model card")
    page.get_by_role("button", name="Show").click()
    assert "kind=model+card" in page.url
    assert "sources" in page.locator(".filters-state").inner_text()
    page.get_by_role("link", name="Clear all filters").click()
    assert page.url.endswith("/sources")


def test_a_source_list_entry_leads_back_to_its_mark(addresses, open_page):
    page = open_page(addresses["GPU with every flag"], javascript=False)
    back = page.locator("ol.sources a[href^='#mark-']").first
    target = back.get_attribute("href")
    back.click()
    assert page.url.endswith(target)
    assert page.locator(target).is_visible()


def test_copying_needs_a_script_and_the_field_works_without(addresses, open_page):
    for javascript in (True, False):
        page = open_page(addresses["comparison of five"], javascript=javascript)
        field = page.get_by_label("Address of this comparison")
        assert field.input_value().endswith("?ids=h100,h200,b200,mi300x,mi355x")
        assert page.get_by_role("button", name="Copy", exact=False).count() == (
            0 if not javascript else page.locator("[data-copy]").count()
        )

from urllib.parse import urlencode

from registry.presentation.page import Link


def filters(request, form, result, ignore=("page",)):
    """What filter_form.html needs: the result in words, and a link without each filter in use."""
    used = {name: value for name, value in form.in_use.items() if name not in ignore}
    path = request.path_info
    raw = {name: request.GET[name] for name in used}
    without = [
        Link(
            str(form.fields[name].label or name).lower(),
            _address(path, {key: value for key, value in raw.items() if key != name}),
        )
        for name in used
    ]
    return {"action": path, "result": result, "active": without, "clear_url": path if used else ""}


def pager(request, page):
    """What pager.html needs for a page of a Django Paginator, or None where there is one page only."""
    if page.paginator.num_pages == 1:
        return None
    query = {name: value for name, value in request.GET.items() if name != "page"}

    def address(number):
        return _address(request.path_info, {**query, "page": number})

    return {
        "words": f"Page {page.number} of {page.paginator.num_pages}",
        "previous_url": address(page.previous_page_number()) if page.has_previous() else "",
        "next_url": address(page.next_page_number()) if page.has_next() else "",
    }


def _address(path, query):
    return f"{path}?{urlencode(query)}" if query else path

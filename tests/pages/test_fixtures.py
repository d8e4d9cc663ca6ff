"""The fixtures as readers get them: every page answers, and the five accelerators of the first release compare as promised."""

import csv
import io
import re
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from registry.twin_tree import parse
from tests.pages.reading import flags_of, part, text_of

FIVE = "ids=h100,h200,b200,mi300x,mi355x"
UNREPRODUCED = "Manufacturer figure, not reproduced"


@pytest.fixture(scope="module")
def get(live_site):
    """Asks the live site over one connection; gives status, headers and text."""
    connection = HTTPConnection(urlsplit(live_site.url).netloc, timeout=30)

    def get(address, method="GET", **headers):
        connection.request(method, address, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    yield get
    connection.close()


@pytest.fixture(scope="module")
def walked(get):
    """Address → (status, steps from home) of what links lead to; of entries every seventh is opened, the others are None."""
    found, waiting = {}, [("/", 0)]
    for address, steps in waiting:
        path, _, query = address.partition("?")
        if (
            address in found
            or path.endswith((".md", ".csv"))
            or "as_of" in query
            or ("compare" in path and steps > 2)
        ):
            continue
        entry = re.fullmatch(r"/(?:claims/C|benchmarks/B)-(\d+)(/\d+)?", path)
        if entry and int(entry[1]) % 7:
            found[address] = (None, steps)
            continue
        status, _, text = get(address)
        found[address] = (status, steps)
        waiting += [
            (link.replace("&amp;", "&"), steps + 1) for link in re.findall(r'<a href="(/[^"#]*)', text)
        ]
    return found


def test_every_page_of_the_fixtures_answers(walked):
    assert {
        address: status for address, (status, _) in walked.items() if status not in (200, 410, None)
    } == {}
    for path, least in (
        ("/gpus/", 12),
        ("/models/", 13),
        ("/inference-stack/", 8),
        ("/sources/", 200),
        ("/claims/", 1000),
        ("/benchmarks/", 60),
    ):
        assert sum(address.startswith(path) for address in walked) >= least, path


def test_every_record_of_the_fixtures_is_two_steps_from_the_home_page(walked):
    record = re.compile(r"/(claims/C-\d+|sources/[a-z0-9-]+|(gpus|models|inference-stack)/[a-z0-9-]+)")
    assert {
        address: steps for address, (_, steps) in walked.items() if steps > 2 and record.fullmatch(address)
    } == {}


def test_five_accelerators_compare_with_dense_and_sparse_apart_and_peaks_flagged(get):
    status, _, html = get(f"/gpus/compare?{FIVE}")
    page = parse(html)
    assert status == 200
    table = next(node for node in page.walk() if node.has_class("comparison"))
    order = [node.attrs["id"] for node in table.walk() if node.attrs.get("id", "").startswith("property-")]
    assert order.index("property-fp8-sparse") == order.index("property-fp8-dense") + 1
    rows = csv.DictReader(io.StringIO(get(f"/gpus/compare.csv?{FIVE}")[2]))
    peaks = [
        row
        for row in rows
        if row["property"] in ("fp8-dense", "fp8-sparse") and row["asserter"] in ("NVIDIA", "AMD")
    ]
    assert {row["subject"] for row in peaks} == set(FIVE[4:].split(","))
    assert [
        row["claim"]
        for row in peaks
        if row["value"] and not row["derivation"] and UNREPRODUCED not in row["flags"]
    ] == []
    assert len(re.findall(UNREPRODUCED, text_of(table))) >= 4
    for claim in (node for node in table.walk() if node.has_class("claim")):
        assert any(node.has_class("mark") for node in claim.walk()), text_of(claim)


def test_the_same_view_as_markdown_and_csv_has_the_same_claims_and_flags(get):
    page = parse(get(f"/gpus/compare?{FIVE}")[2])
    twin = get(f"/gpus/compare.md?{FIVE}")[2]
    file = csv.DictReader(io.StringIO(get(f"/gpus/compare.csv?{FIVE}")[2]))
    rows = [row for row in file if row["state"] != "not_reviewed"]
    drawers = {node.attrs["id"]: node for node in page.walk() if "popover" in node.attrs}
    assert len(rows) == len(drawers) > 100
    for row in rows:
        drawer = drawers[f"provenance-{row['claim'][2:]}-{row['revision']}"]
        assert flags_of(drawer) == list(filter(None, row["flags"].split("; "))), row["claim"]
        assert f"[Claim {row['claim']}, revision {row['revision']}]" in twin
    assert {row["subject"] for row in rows} == set(FIVE[4:].split(","))


def test_the_server_itself_answers_head_conditions_and_broken_bytes(get, live_site):
    status, headers, text = get("/gpus", "HEAD")
    assert (status, text) == (200, "")
    assert get("/gpus", **{"If-None-Match": headers["ETag"]})[0] == 304
    assert get("/gpus", "POST")[0] == 405
    assert part(parse(get("/gpus/%00")[2]), "main")
    for address in (
        "/%FF",
        "/%ED%A0%80",
        "/gpus/%00",
        "/gpus?q=%FF",
        "//evil.com/",
        "/gpus?q=%00",
        "/sources?page=%00",
    ):
        status, headers, _ = get(address)
        assert status in (400, 404), address
        assert "Location" not in headers
    assert get("/gpus", Host="evil.example")[0] == 400
    assert get("/gpus/compare?ids=" + "," * 10000)[0] == 400

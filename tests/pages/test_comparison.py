"""Subjects side by side: the address is the state, nothing is mixed, nothing is ranked."""

import pytest

from tests.pages.reading import flags_of, page_of, part, text_of
from tests.pages.world import FIRST, said

UNREPRODUCED = "Manufacturer figure, not reproduced"


class Table:
    """A comparison as a reader sees it: column heads, and rows by their label."""

    def __init__(self, page):
        table = next(node for node in page.walk() if node.has_class("comparison"))
        rows = [row for row in table.walk() if row.tag == "tr"]
        self.heads = [
            text_of(next(node for node in cell.walk() if node.tag == "a"))
            for cell in list(rows[0].elements())[1:]
        ]
        self.groups = [text_of(node) for node in table.walk() if node.attrs.get("scope") == "rowgroup"]
        self.rows = {}
        for row in rows:
            head, *cells = row.elements()
            if head.attrs.get("scope") == "row":
                label = next(part.strip() for part in head.children if isinstance(part, str) and part.strip())
                self.rows[label.partition(" (")[0]] = (row, head, cells)

    def cell(self, label, column):
        return self.rows[label][2][self.heads.index(column)]

    def differs(self, label):
        row, head, _ = self.rows[label]
        marks = [node.attrs["aria-label"] for node in head.walk() if node.has_class("differs-mark")]
        assert marks == ["differs:"] * row.has_class("differs")
        return row.has_class("differs")


def table(client, query):
    answer = client.get(f"/gpus/compare?{query}")
    assert answer.status_code == 200
    return Table(page_of(answer))


def test_columns_stand_in_the_order_of_the_address(world, client):
    for ids in ("aster-a1,boreal-b1,zenith-z3", "zenith-z3,boreal-b1,aster-a1"):
        heads = {"aster-a1": "Aster A1", "boreal-b1": "Boreal B1 & <i>rack</i>", "zenith-z3": "Zenith Z3"}
        assert table(client, f"ids={ids}").heads == [heads[slug] for slug in ids.split(",")]


def test_dense_and_sparse_stand_in_rows_of_their_own_and_together(world, client):
    shown = table(client, "ids=aster-a1,aster-a2,boreal-b1")
    labels = list(shown.rows)
    dense, sparse = "Peak FP8 throughput, dense", "Peak FP8 throughput, with sparsity"
    assert labels.index(sparse) == labels.index(dense) + 1
    assert "1 979" in text_of(shown.cell(dense, "Aster A1"))
    assert "3 958" in text_of(shown.cell(sparse, "Aster A1"))
    assert "3 958" not in text_of(shown.cell(dense, "Aster A1"))


def test_a_subject_stated_under_another_condition_only_is_said_to_be_not_comparable(world, client):
    shown = table(client, "ids=aster-a1,boreal-b1")
    head = text_of(shown.rows["Peak FP8 throughput, with sparsity"][1])
    assert "Not comparable with Boreal B1 & <i>rack</i>: stated there dense." in head
    assert "Not comparable" not in text_of(shown.rows["Peak FP8 throughput, dense"][1])
    assert (
        text_of(shown.cell("Peak FP8 throughput, with sparsity", "Boreal B1 & <i>rack</i>"))
        == "Not reviewed yet"
    )


def test_every_kind_of_absence_has_its_words(world, client):
    shown = table(client, "ids=aster-a2,boreal-b1,mote-1")
    b1 = "Boreal B1 & <i>rack</i>"
    assert text_of(shown.cell("Peak FP8 throughput, dense", "aster a2")).startswith(
        "Not stated in the reviewed sources"
    )
    assert text_of(shown.cell("Board power", b1)).startswith("Withheld by the source")
    assert text_of(shown.cell("Links between boards", b1)).startswith("None")
    assert text_of(shown.cell("Board power", "Mote 1")) == "Not reviewed yet"


def test_a_row_is_marked_where_subjects_differ_and_only_there(world, client):
    shown = table(client, "ids=aster-a1,aster-a2")
    assert not shown.differs("Memory capacity")  # "96 GB" and "96GB"
    assert shown.differs("Peak FP8 throughput, with sparsity")
    assert shown.differs("Memory bandwidth")


def test_only_differences_hides_rows_and_counts_them(world, client):
    everything, differing = (
        table(client, "ids=aster-a1,aster-a2"),
        table(client, "ids=aster-a1,aster-a2&diff=1"),
    )
    assert everything.rows.keys() - differing.rows.keys() == {"Memory capacity"}
    text = text_of(page_of(client.get("/gpus/compare?ids=aster-a1,aster-a2&diff=1")))
    rows = len(differing.rows)
    assert f"{rows} rows shown; 1 in which all say the same is hidden." in text


def test_a_flag_that_all_values_of_a_row_share_stands_once_in_its_head(world, client):
    shown = table(client, "ids=aster-a1,boreal-b1")
    _, head, cells = shown.rows["Peak FP8 throughput, dense"]
    assert flags_of(head) == [UNREPRODUCED]
    assert [flags_of(cell) for cell in cells] == [[], ["Read at second hand"]]
    _, head, cells = table(client, "ids=aster-a1,zenith-z3").rows["Peak FP8 throughput, dense"]
    assert flags_of(head) == []
    assert [flags_of(cell) for cell in cells] == [[UNREPRODUCED], ["Reproduced"]]


def test_disagreeing_values_stand_in_one_cell_each_with_its_own_mark(world, client):
    cell = table(client, "ids=aster-a1,zenith-z3").cell("Board power", "Aster A1")
    claims = [node for node in cell.walk() if node.has_class("claim")]
    assert ["up to 700 W" in text_of(claims[0]), "742 W" in text_of(claims[1])] == [True, True]
    assert "Sources disagree (2)" in flags_of(cell)
    assert all(any(node.has_class("mark") for node in claim.walk()) for claim in claims)
    assert "400–450 W" in text_of(table(client, "ids=aster-a1,zenith-z3").cell("Board power", "Zenith Z3"))


def test_values_under_other_conditions_are_told_apart_in_their_cell(world, client):
    said(
        world,
        world.a1,
        world.memory,
        "48 GB",
        48,
        passages=[world.measured],
        conditions="Half of it switched off",
    )
    cell = table(client, "ids=aster-a1,aster-a2").cell("Memory capacity", "Aster A1")
    assert "96 GB" in text_of(cell)
    assert "Half of it switched off" in text_of(cell)
    assert "Sources disagree" not in text_of(cell)


def test_every_mark_of_a_cell_opens_where_it_comes_from(world, client):
    page = page_of(client.get("/gpus/compare?ids=aster-a1,boreal-b1"))
    drawer = part(page, f"provenance-{world.unreproduced.number}-1")
    text = text_of(drawer)
    for words in (
        "Aster A1: Peak FP8 throughput, dense",
        "Aster states: “1,979 TFLOPS”",
        "p. 2, table 1",
        "“1,979 TFLOPS of FP8, dense”",
        "Publication: 2024-01-15.",
        "Verified: 2024-06-01.",
        "What rests on this source",
        "Archived copy",
    ):
        assert words in text


def test_subjects_are_added_and_removed_by_links_and_a_form_alone(world, client):
    page = page_of(
        client.get("/gpus/compare?ids=aster-a1,boreal-b1,zenith-z3&group=Compute&diff=1&as_of=2024-04-01")
    )
    removals = {
        text_of(node): node.attrs["href"]
        for node in page.walk()
        if node.tag == "a" and text_of(node).startswith("Remove")
    }
    assert removals["Remove Aster A1"] == (
        "/gpus/compare?ids=boreal-b1,zenith-z3&group=Compute&as_of=2024-04-01&diff=1"
    )
    assert client.get(removals["Remove Aster A1"]).status_code == 200
    form = next(node for node in page.walk() if node.tag == "form")
    assert (form.attrs["method"], form.attrs["action"]) == ("get", "/gpus/compare")
    fields = {node.attrs["name"]: node for node in form.walk() if "name" in node.attrs}
    assert fields["ids"].attrs["value"] == "aster-a1,boreal-b1,zenith-z3"
    assert "checked" in fields["diff"].attrs
    options = [node.attrs["value"] for node in fields["add"].walk() if node.tag == "option"]
    assert "aster-a2" in options
    assert "aster-a1" not in options
    added = client.get(
        "/gpus/compare?add=aster-a2&group=Compute&as_of=2024-04-01&diff=on&ids=aster-a1,boreal-b1,zenith-z3"
    )
    assert (
        added["Location"]
        == "/gpus/compare?ids=aster-a1,boreal-b1,zenith-z3,aster-a2&group=Compute&as_of=2024-04-01&diff=1"
    )


def test_a_full_comparison_offers_no_seventh(world, client):
    page = page_of(client.get("/gpus/compare?ids=aster-a1,aster-a2,boreal-b1,zenith-z3,mote-1,mote-2"))
    add = next(node for node in page.walk() if node.attrs.get("name") == "add")
    assert [node.attrs["value"] for node in add.walk() if node.tag == "option"] == [""]


def test_a_group_shows_its_rows_only(world, client):
    shown = table(client, "ids=aster-a1,aster-a2&group=Compute")
    assert shown.groups == ["Compute"]
    assert set(shown.rows) == {"Peak FP8 throughput, dense", "Peak FP8 throughput, with sparsity"}


@pytest.mark.parametrize(
    "query", ["ids=mote-1,mote-2&group=Power", "ids=aster-a1,boreal-b1&as_of=2001-01-01", "ids=mote-1,mote-1"]
)
def test_a_comparison_without_rows_says_so_and_keeps_its_form(world, client, query):
    answer = client.get(f"/gpus/compare?{query}", follow=True)
    text = text_of(part(page_of(answer), "main"))
    if "mote-1,mote-1" in query:
        assert "Mote 1 alone cannot be compared" in text
    else:
        assert "alone cannot be compared" not in text
        assert "0 rows shown" in text


def test_with_nothing_chosen_the_page_offers_the_whole_library(world, client):
    for address, most in (("/gpus/compare", 7), ("/models/compare", 2), ("/inference-stack/compare", 2)):
        page = page_of(client.get(address))
        boxes = [node for node in page.walk() if node.attrs.get("name") == "ids"]
        assert len(boxes) == most
        examples = [
            node.attrs["href"] for node in part(page, "main").walk() if "?ids=" in node.attrs.get("href", "")
        ]
        assert examples
        assert all(client.get(example).status_code == 200 for example in examples)


def test_as_of_is_said_and_leads_back_to_today(world, client):
    page = page_of(client.get(f"/gpus/compare?ids=aster-a1,boreal-b1&as_of={FIRST}"))
    assert f"As of {FIRST}." in text_of(page)
    today = [
        node.attrs["href"]
        for node in page.walk()
        if node.tag == "a" and text_of(node) == "As it stands today"
    ]
    assert today == ["/gpus/compare?ids=aster-a1,boreal-b1"]

"""Many claims from one source in one grid."""

import decimal

import pytest

from registry.forms.grid import ClaimRowForm
from registry.models import Claim
from tests import factories


@pytest.fixture
def world():
    maker = factories.organisation(name="Maker")
    subject = factories.subject(key="gpu-x100", name="X100", slug="x100", maker=maker)
    for key, unit in [("bandwidth", "TB/s"), ("memory", "GB"), ("fp8", "TFLOPS"), ("power", "W")]:
        factories.property_(
            key=key, label=key.title(), unit=unit, performance_figure=key in ("bandwidth", "fp8")
        )
    factories.property_(key="note", label="Note", unit="", datatype="text", performance_figure=False)
    return factories.source(publisher=maker), subject


def grid(source):
    return f"/admin/sources/source/{source.pk}/claims/"


def rows(*filled, button="save", **more):
    data = {"rows-TOTAL_FORMS": "12", "rows-INITIAL_FORMS": "0", button: "1", **more}
    for number, row in enumerate(filled):
        subject, prop, text = row[:3]
        data |= {
            f"rows-{number}-subject": subject,
            f"rows-{number}-property": prop,
            f"rows-{number}-text": text,
            f"rows-{number}-locator": "Specifications",
            f"rows-{number}-quotation": f"the source says {text}",
            f"rows-{number}-value_kind": "value",
        }
        data |= {f"rows-{number}-{name}": value for name, value in (row[3] if len(row) > 3 else {}).items()}
    return data


def test_the_grid_has_more_than_ten_rows_and_needs_no_script(author, world):
    page = author.get(grid(world[0])).content.decode()
    assert page.count('-locator" maxlength') >= 10
    assert '<datalist id="list-properties">' in page


def test_texts_are_read_into_numbers_in_the_property_unit(author, world):
    source, subject = world
    data = rows(
        ("gpu-x100", "bandwidth", "3.35 TB/s"),
        ("X100", "memory", "141GB"),
        ("x100", "FP8", "1,979 TFLOPS"),
        ("", "power", "up to 700W"),
        ("", "note", "liquid cooled"),
    )
    answer = author.post(grid(source), data, follow=True)
    assert "5 claims were saved as drafts." in answer.content.decode()
    read = {c.property.key: (c.value, c.bound, c.text) for c in Claim.objects.select_related("property")}
    assert read == {
        "bandwidth": (decimal.Decimal("3.35"), "", "3.35 TB/s"),
        "memory": (decimal.Decimal("141"), "", "141GB"),
        "fp8": (decimal.Decimal("1979"), "", "1,979 TFLOPS"),
        "power": (decimal.Decimal("700"), "at most", "up to 700W"),
        "note": (None, "", "liquid cooled"),
    }
    claim = Claim.objects.first()
    assert (claim.asserter, claim.created_by) == (source.publisher, author.person)
    assert claim.citations.get().passage.source == source


def test_a_wrong_unit_marks_just_its_row_and_loses_nothing(author, world):
    source, _ = world
    data = rows(("x100", "bandwidth", "3.35 TB/s"), ("x100", "memory", "700W"), ("x100", "power", "700W"))
    answer = author.post(grid(source), data)
    page = answer.content.decode()
    assert [bool(form.errors) for form in answer.context["rows"].forms[:3]] == [False, True, False]
    assert "1 problem in 1 row" in page
    assert all(f'value="{text}"' in page for text in ["3.35 TB/s", "700W", "the source says 700W"])
    assert not Claim.objects.exists()


def test_every_problem_is_marked_at_once(author, world):
    source, _ = world
    data = rows(
        ("nothing", "bandwidth", "3.35 TB/s"),
        ("x100", "nothing", "1 GB"),
        ("x100", "memory", "80 or 96 GB"),
        ("x100", "memory", "", {"locator": ""}),
        ("x100", "memory", "1 GB", {"asserter": "Nobody"}),
    )
    answer = author.post(grid(source), data)
    marked = [sorted(form.errors) for form in answer.context["rows"].forms[:5]]
    assert marked == [["subject"], ["property"], ["text"], ["locator", "text"], ["asserter"]]


def test_a_property_of_another_kind_is_a_row_error(author, world):
    factories.property_("checkpoint", key="context-length", label="Context length", unit="tokens")
    answer = author.post(grid(world[0]), rows(("x100", "context-length", "8 tokens")))
    assert "is a property of a checkpoint" in answer.content.decode()


def test_a_check_shows_what_is_published_beside_and_the_flags_to_come(author, world):
    source, subject = world
    prop = factories.claim(
        subject=subject,
        property=Claim._meta.get_field("property").related_model.objects.get(key="bandwidth"),
        text="3.2 TB/s",
        value=decimal.Decimal("3.2"),
    )
    data = rows(("x100", "bandwidth", "3.35 TB/s"), button="check")
    page = author.post(grid(source), data).content.decode()
    assert f"C-{prop.number}/1" in page
    assert "3.2 TB/s" in page
    assert "Manufacturer figure, not reproduced" in page
    assert "Sources disagree (2)" in page
    assert Claim.objects.drafts().count() == 0


def test_what_is_not_stated_is_a_claim_too(author, world):
    data = rows(("x100", "memory", "", {"value_kind": "not stated"}))
    author.post(grid(world[0]), data)
    assert Claim.objects.get().value_kind == "not stated"


def test_more_rows_keep_what_is_typed(author, world):
    answer = author.post(grid(world[0]), rows(("x100", "memory", "141GB"), button="more"))
    assert len(answer.context["rows"].forms) == 24
    assert 'value="141GB"' in answer.content.decode()


def test_saved_and_submitted_in_one_go_with_one_note(author, world):
    data = rows(("x100", "memory", "141GB"), ("", "power", "700 W"), button="hand_in")
    assert "tell the reviewer what to look at" in author.post(grid(world[0]), data).content.decode()
    author.post(grid(world[0]), {**data, "note": "From the table."})
    assert set(Claim.objects.values_list("status", "submit_note")) == {("submitted", "From the table.")}


def test_an_empty_grid_says_there_is_nothing_to_save(author, world):
    assert "nothing to save" in author.post(grid(world[0]), rows()).content.decode()


def test_the_queries_of_a_check_do_not_grow_with_its_rows(author, world, django_assert_max_num_queries):
    source, _ = world
    many = [
        ("x100", prop, text)
        for prop, text in [("memory", "141GB"), ("power", "700 W"), ("fp8", "1 TFLOPS")] * 4
    ]
    with django_assert_max_num_queries(16):
        author.post(grid(source), rows(*many, button="check"))


def test_a_row_the_database_refuses_is_marked_and_no_row_is_saved(author, world, monkeypatch):
    other_kind = factories.property_("runtime", key="other-kind", unit="W")
    read = ClaimRowForm.content

    def overlooked(form):
        """A form that did not notice the kind of the property."""
        return read(form) | ({"property": other_kind} if form.cleaned_data["text"] == "700 W" else {})

    monkeypatch.setattr(ClaimRowForm, "content", overlooked)
    answer = author.post(grid(world[0]), rows(("x100", "memory", "141GB"), ("x100", "power", "700 W")))
    marked = [bool(form.non_field_errors()) for form in answer.context["rows"].forms[:2]]
    assert marked == [False, True]
    assert "belongs to another kind of subject" in answer.content.decode()
    assert not Claim.objects.exists()

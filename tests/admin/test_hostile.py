"""What no form offers but anybody can post."""

import pytest
from django.urls import reverse

from registry.models import Claim, ClaimCitation
from tests import factories
from tests.admin.desks import desk, sent_back

ADD = "/admin/registry/claim/add/"


def url(entry):
    return reverse(f"admin:registry_{entry._meta.model_name}_change", args=[entry.pk])


def filled(**changes):
    subject = factories.subject()
    return {
        "subject": subject.key,
        "property": factories.property_(unit="TFLOPS").key,
        "asserter": subject.maker.key,
        "value_kind": "value",
        "text": "1,979 TFLOPS",
        "bound": "",
        "citations-TOTAL_FORMS": "1",
        "citations-INITIAL_FORMS": "0",
        "citations-0-source": factories.source().key,
        "citations-0-locator": "p. 1",
        "citations-0-quotation": "1,979 teraFLOPS",
        "citations-0-stance": "supports",
        "contexts-TOTAL_FORMS": "0",
        "contexts-INITIAL_FORMS": "0",
        **changes,
    }


def test_a_claim_is_drafted_with_its_citation(author):
    assert author.post(ADD, filled()).status_code == 302
    claim = Claim.objects.get()
    assert (claim.status, claim.value, claim.created_by) == ("draft", 1979, author.person)
    assert claim.citations.get().passage.quotation == "1,979 teraFLOPS"


def test_hidden_fields_do_not_publish(author):
    forged = {
        "status": "published",
        "published_by": str(author.person.pk),
        "self_reviewed": "on",
        "number": "7",
        "record_date": "2020-01-01",
        "created_by": "1",
        "bundle": "x",
        "_publish": "1",
        "action": "publish",
    }
    author.post(ADD, filled(**forged))
    claim = Claim.objects.get()
    assert (claim.status, claim.number, claim.record_date, claim.bundle) == ("draft", None, None, "")
    assert claim.created_by == author.person
    author.post(url(claim), {**sent_back(author.get(url(claim))), **forged})
    claim.refresh_from_db()
    assert claim.status == "draft"


def test_the_citation_of_another_claim_is_not_swapped_in(author):
    mine = factories.claim("draft", by=author.person)
    theirs = factories.claim("draft")
    foreign = theirs.citations.get()
    data = sent_back(author.get(url(mine)))
    data |= {
        "citations-0-id": str(foreign.pk),
        "citations-0-entry": str(theirs.pk),
        "citations-0-locator": "stolen",
    }
    answer = author.post(url(mine), data)
    assert answer.status_code == 200
    foreign.refresh_from_db()
    assert (foreign.entry, foreign.passage.locator) == (theirs, "p. 2")
    assert ClaimCitation.objects.filter(passage__locator="stolen").count() == 0


def test_another_authors_draft_is_neither_changed_nor_submitted_nor_discarded(author):
    theirs = factories.claim("draft")
    data = sent_back(desk(theirs.created_by).get(url(theirs)))
    for address, posted in [
        (url(theirs), {**data, "conditions": "mine now"}),
        (reverse("admin:registry_claim_submit", args=[theirs.pk]), {"note": "x"}),
        (reverse("admin:registry_claim_discard", args=[theirs.pk]), {}),
    ]:
        assert author.post(address, posted).status_code == 403
    theirs.refresh_from_db()
    assert (theirs.status, theirs.conditions) == ("draft", "")


@pytest.mark.parametrize("status", ["submitted", "published"])
def test_what_is_no_draft_is_not_changed_even_by_its_author(author, status):
    mine = factories.claim("draft", by=author.person)
    data = sent_back(author.get(url(mine)))
    entry = factories.entries.brought_to(status, mine, by=author.person)
    assert author.post(url(entry), {**data, "conditions": "x"}).status_code == 403


@pytest.mark.parametrize("where", ["delete", "list"])
def test_nothing_is_deleted(administrator, where):
    entry = factories.claim()
    if where == "delete":
        answer = administrator.post(reverse("admin:registry_claim_delete", args=[entry.pk]), {"post": "yes"})
        assert answer.status_code == 403
    else:
        data = {"action": "delete_selected", "_selected_action": [str(entry.pk)], "post": "yes"}
        administrator.post("/admin/registry/claim/", data)
    assert Claim.objects.filter(pk=entry.pk).exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"text": "1\x00 TFLOPS"},
        {"subject": "\x00"},
        {"citations-0-source": "\x00"},
        {"citations-0-locator": "p\x00"},
        {"citations-0-locator": "x" * 201},
        {"citations-0-quotation": "x" * 301},
        {"citations-0-stance": "nonsense"},
        {"citations-TOTAL_FORMS": "x"},
        {"citations-TOTAL_FORMS": "100000"},
        {"text": "x" * 601},
        {"text": ""},
        {"text": "700 W"},
        {"value_kind": "nonsense"},
        {"value": "NaN"},
        {"value": "1e400"},
        {"value": "Infinity"},
        {"value": "12"},
        {"low": "9", "high": "1", "text": "words"},
        {"value": "1" * 41},
        {"bound": "roughly"},
        {"subject": ""},
        {"property": "x" * 500},
        {"asserter": "nobody"},
    ],
)
def test_bad_input_is_a_form_error(author, changes):
    answer = author.post(ADD, filled(**changes))
    assert answer.status_code == 200
    assert answer.context["errors"] or answer.context["inline_admin_formsets"]
    assert not Claim.objects.exists()


@pytest.mark.parametrize(
    "missing", ["subject", "property", "asserter", "value_kind", "text", "citations-TOTAL_FORMS"]
)
def test_a_missing_field_is_a_form_error(author, missing):
    data = filled()
    del data[missing]
    assert author.post(ADD, data).status_code == 200
    assert not Claim.objects.exists()


def test_the_same_passage_cited_twice_is_a_form_error_with_everything_kept(author):
    data = filled()
    data |= {
        f"citations-1-{name}": data[f"citations-0-{name}"]
        for name in ["source", "locator", "quotation", "stance"]
    }
    data["citations-TOTAL_FORMS"] = "2"
    page = author.post(ADD, data).content.decode()
    assert "This passage is cited already by this entry." in page
    assert page.count('value="p. 1"') == 2
    assert not Claim.objects.exists()


@pytest.mark.parametrize(
    "query",
    [
        "created_by__password__startswith=p",
        "queue=nonsense",
        "queue=review",
        "status__exact=%27%22",
        "subject__id__exact=999999999999999999999999",
        "subject__id__exact=x",
        "q=C-1",
        "q=%27%22%5C",
        "q=" + "x" * 3000,
        "record_date__year=99999",
        "record_date__year=x",
        "p=999",
        "p=x",
        "o=9.9.-9",
        "all=",
        "_facets=True",
        "e=1",
        "_to_field=password",
        "_popup=1",
    ],
)
def test_a_strange_query_never_breaks_a_list(author, query):
    factories.claim()
    for model in ["claim", "reproduction"]:
        assert author.get(f"/admin/registry/{model}/?{query}").status_code in (200, 302, 400), model


@pytest.mark.parametrize(
    "path", ["claim/nonsense/change/", "claim/nonsense/submit/", "subject/9" + "9" * 40 + "/change/"]
)
def test_an_unknown_record_is_no_error_of_the_server(author, path):
    assert author.get(f"/admin/registry/{path}").status_code in (302, 404)


@pytest.mark.parametrize("name", ["submit", "withdraw", "return", "correct"])
def test_a_note_with_a_nul_or_too_long_is_a_form_error(administrator, name):
    status = {"submit": "draft", "return": "submitted"}.get(name, "published")
    entry = factories.claim(status, by=administrator.person if name == "submit" else None)
    address = reverse(f"admin:registry_claim_{name}", args=[entry.pk])
    for text in ["a\x00b", "x" * 1001]:
        data = {"note": text, "reason": text, "kind": "correction"}
        assert administrator.post(address, data).status_code == 200
        entry.refresh_from_db()
        assert entry.status == status


@pytest.mark.parametrize(
    "change",
    [
        {"rows-TOTAL_FORMS": "x"},
        {"rows-TOTAL_FORMS": "100000"},
        {"rows-TOTAL_FORMS": "-1"},
        {"rows-0-text": "a\x00b"},
        {"rows-0-subject": "\x00"},
        {"rows-0-locator": "x" * 500},
        {"rows-0-value_kind": "nonsense"},
        {"note": "a\x00b"},
    ],
)
def test_a_hostile_grid_is_marked_and_saves_nothing(author, change):
    source = factories.source()
    row = {"rows-0-subject": "x", "rows-0-property": "x", "rows-0-text": "1 GB", "rows-0-locator": "p. 1"}
    data = {"rows-TOTAL_FORMS": "12", "rows-INITIAL_FORMS": "0", "save": "1", **row, **change}
    assert author.post(f"/admin/sources/source/{source.pk}/claims/", data).status_code == 200
    assert not Claim.objects.exists()


def test_words_of_a_source_are_escaped(reviewer):
    cited = [(factories.passage(quotation="<script>alert(1)</script>", locator="<b>p</b>"), "supports")]
    entry = factories.claim("submitted", cited=cited, text="<i>1</i> TFLOPS")
    for name in ["review", "change"]:
        page = reviewer.get(reverse(f"admin:registry_claim_{name}", args=[entry.pk])).content.decode()
        assert "<script>alert" not in page
        assert "<i>1</i>" not in page

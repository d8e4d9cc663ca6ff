"""Lists and the front page: counts lead to the rows they count, and queries do not grow with rows."""

import datetime
import re

from django.db import connection
from django.test.utils import CaptureQueriesContext

from registry.models import Claim
from tests import factories

LISTS = [
    "registry/claim",
    "registry/reproduction",
    "registry/benchmarkrecord",
    "registry/subject",
    "registry/property",
    "registry/publication",
    "sources/source",
    "sources/organisation",
    "sources/link",
    "sources/passage",
    "sources/referencechange",
]
# Queries of one list: session, account, permissions (2), state of filters, count, rows …
BUDGET = 28


def queries(client, url):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def publish_one(author):
    claim = factories.claim()
    factories.reproduction(claim, "draft", by=author.person)
    factories.claim("submitted")
    factories.claim("draft", by=author.person)
    factories.benchmark_record()
    factories.benchmark_record("draft", by=author.person)


def test_queries_do_not_grow_with_rows(author, reviewer):
    pages = [(author, f"/admin/{name}/") for name in LISTS]
    pages += [(author, "/admin/"), (reviewer, "/admin/")]
    for _ in range(3):
        publish_one(author)
    few = [queries(client, url) for client, url in pages]
    for _ in range(27):
        publish_one(author)
    many = [queries(client, url) for client, url in pages]
    grown = [url for (_, url), now, before in zip(pages, many, few, strict=True) if now > before]
    assert grown == []
    assert max(many) <= BUDGET


def queues(client):
    sections = client.get("/admin/").context["queue_sections"]
    return {queue["title"]: queue for rows in sections.values() for queue in rows}


def test_each_count_leads_to_exactly_its_rows(author, reviewer):
    subject = factories.subject()
    prop = factories.property_()
    for value in (1, 2):
        factories.claim(subject=subject, property=prop, value=value, text=f"{value} TFLOPS")
    old = datetime.date(2020, 1, 1)
    read = factories.source(verified_on=old, representation="summary")
    factories.claim(cited=[(factories.passage(read), "supports")])
    factories.source(verified=False)
    factories.source(publisher=None)
    factories.claim("draft", by=author.person)
    factories.claim("submitted", by=author.person)
    factories.claim("submitted", by=reviewer.person)
    returned = factories.claim("submitted", by=author.person)
    reviewer.post(f"/admin/registry/claim/{returned.pk}/return/", {"reason": "Look again."})
    factories.benchmark_record("draft", by=author.person)
    factories.benchmark_record("submitted", by=author.person)
    factories.benchmark_record("submitted", by=reviewer.person)
    sent_back = factories.benchmark_record("submitted", by=author.person)
    reviewer.post(f"/admin/registry/benchmarkrecord/{sent_back.pk}/return/", {"reason": "Look again."})
    for client in (author, reviewer):
        for title, queue in queues(client).items():
            shown = client.get(queue["url"]).context["cl"].result_count
            assert shown == queue["count"], title
    counts = {title: queue["count"] for title, queue in queues(author).items()}
    assert counts["Claims returned to you"] == 1
    assert counts["Your drafts of claims"] == 1
    assert counts["Claims you submitted"] == 1
    assert counts["Benchmark records returned to you"] == 1
    assert counts["Your drafts of benchmark records"] == 1
    assert counts["Benchmark records you submitted"] == 1
    assert counts["Sources disagree"] == 2
    assert counts["Manufacturer figures, not reproduced"] == 3
    assert counts["Claims read at second hand"] == 1
    assert counts["Verification due"] == 1
    assert counts["Leads"] == 2
    assert counts["Sources disagree"] == Claim.objects.published().disagreeing().count()
    assert "Claims waiting for your review" not in counts
    assert queues(reviewer)["Claims waiting for your review"]["count"] == 1
    assert queues(reviewer)["Benchmark records waiting for your review"]["count"] == 1


def test_a_list_shows_flags_in_their_exact_words(author):
    factories.claim()
    page = author.get("/admin/registry/claim/").content.decode()
    assert "Manufacturer figure, not reproduced" in page


def test_a_claim_is_found_by_its_number(author):
    claim = factories.claim()
    factories.claim("draft", by=author.person)
    found = author.get("/admin/registry/claim/", {"q": f"C-{claim.number}"}).context["cl"].result_list
    assert claim in found


INLINE = re.compile(r"<style|\sstyle=|<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:", re.I)


def test_no_page_has_an_inline_style_or_script(administrator):
    draft, published = factories.claim("draft", by=administrator.person), factories.claim()
    submitted = factories.claim("submitted")
    source = published.citations.get().passage.source
    pages = [
        "/admin/",
        "/admin/login/",
        "/admin/password_change/",
        *(f"/admin/{name}/" for name in [*LISTS, "auth/user", "auth/group"]),
        *(f"/admin/registry/claim/{draft.pk}/{page}/" for page in ["change", "submit", "discard", "history"]),
        *(f"/admin/registry/claim/{published.pk}/{page}/" for page in ["change", "correct", "withdraw"]),
        f"/admin/registry/claim/{submitted.pk}/review/",
        "/admin/registry/claim/add/",
        "/admin/registry/reproduction/add/",
        "/admin/registry/subject/add/",
        "/admin/registry/property/add/",
        *(f"/admin/sources/source/{source.pk}/{page}/" for page in ["change", "verify", "claims"]),
        "/admin/sources/source/add/",
        "/admin/sources/source/add/?step=2&url=https://example.org/x",
        f"/admin/auth/user/{administrator.person.pk}/change/",
        f"/admin/auth/user/{administrator.person.pk}/password/",
        "/admin/auth/user/add/",
    ]
    wrong = {
        page: found[0] for page in pages if (found := INLINE.search(administrator.get(page).content.decode()))
    }
    assert wrong == {}
    policy = administrator.get("/admin/").headers["Content-Security-Policy"]
    assert "unsafe" not in policy

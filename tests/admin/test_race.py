"""Two editors who save in the same moment, each in a transaction of their own."""

import threading

import pytest
from django.db import connection

from tests import factories
from tests.admin.desks import desk, sent_back

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_saves_in_one_moment_one_is_kept_and_one_is_shown_both(transactional_db):
    author = factories.user("author")
    draft = factories.claim("draft", by=author)
    url = f"/admin/registry/claim/{draft.pk}/change/"
    form = sent_back(desk(author).get(url))
    start, answers = threading.Barrier(2), []

    def save(words):
        client = desk(author)
        start.wait()
        answers.append((client.post(url, {**form, "conditions": words}).status_code, words))
        connection.close()

    threads = [threading.Thread(target=save, args=[words]) for words in ("dense", "sparse")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in answers) == [200, 302]
    draft.refresh_from_db()
    assert (302, draft.conditions) in answers

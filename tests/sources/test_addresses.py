import contextlib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.addresses import AddressError, normalise


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("HTTPS://WWW.Example.ORG:443/a/b?x=1", "https://www.example.org/a/b?x=1"),
        ("http://example.org:80", "http://example.org/"),
        ("https://example.org/a/", "https://example.org/a/"),
        ("https://example.org/a/../b/./c", "https://example.org/b/c"),
        ("https://example.org/a?utm_source=x&y=2&gclid=3&fbclid=4", "https://example.org/a?y=2"),
        ("https://example.org/a#section", "https://example.org/a"),
        ("https://example.org/a#:~:text=cited", "https://example.org/a"),
        ("https://example.org/#/report/3", "https://example.org/#/report/3"),
        ("https://bücher.example.org/ü", "https://xn--bcher-kva.example.org/%C3%BC"),
        ("https://example.org/%c3%bc", "https://example.org/%C3%BC"),
        ("https://example.org:8443/a", "https://example.org:8443/a"),
    ],
)
def test_an_address_has_one_form(url, clean):
    assert normalise(url).url == clean


@pytest.mark.parametrize(
    ("url", "work", "version", "kind"),
    [
        ("https://arxiv.org/abs/2410.14257v2", "arxiv:2410.14257", "v2", "pinned"),
        ("https://arxiv.org/pdf/2410.14257v2", "arxiv:2410.14257", "v2", "pinned"),
        ("https://arxiv.org/pdf/2410.14257v2.pdf", "arxiv:2410.14257", "v2", "pinned"),
        ("https://arxiv.org/html/2410.14257", "arxiv:2410.14257", "", "floating"),
        ("https://doi.org/10.48550/arXiv.2410.14257", "arxiv:2410.14257", "", "floating"),
        ("https://doi.org/10.48550/arXiv.2611.01234v2", "arxiv:2611.01234", "v2", "pinned"),
        ("https://doi.org/10.48550/ARXIV.2611.01234V12/", "arxiv:2611.01234", "v12", "pinned"),
        ("https://arxiv.org/abs/math.GT/0309136", "arxiv:math.GT/0309136", "", "floating"),
        ("https://doi.org/10.48550/arXiv.math.GT/0309136v1", "arxiv:math.GT/0309136", "v1", "pinned"),
        ("https://arxiv.org/abs/cs/0112017v1", "arxiv:cs/0112017", "v1", "pinned"),
        ("https://doi.org/10.1145/3600006.3613165", "doi:10.1145/3600006.3613165", "", "pinned"),
        ("https://dl.acm.org/doi/pdf/10.1145/3600006.3613165", "doi:10.1145/3600006.3613165", "", "pinned"),
        (
            "https://docs.vllm.ai/en/v0.31.0/usage/security/",
            "url:docs.vllm.ai/en/v0.31.0/usage/security",
            "0.31.0",
            "pinned",
        ),
        ("https://docs.vllm.ai/en/latest/usage/", "url:docs.vllm.ai/en/latest/usage", "", "floating"),
        ("https://docs.vllm.ai/en/stable/usage", "url:docs.vllm.ai/en/stable/usage", "", "floating"),
        (
            "https://github.com/a/b/blob/1b826acc6af3/LICENSE",
            "url:github.com/a/b/blob/1b826acc6af3/LICENSE",
            "1b826acc6af3",
            "pinned",
        ),
        ("https://github.com/a/b/tree/v0.5.23", "url:github.com/a/b/tree/v0.5.23", "0.5.23", "pinned"),
        ("https://github.com/a/b/tree/ray-2.60.0", "url:github.com/a/b/tree/ray-2.60.0", "2.60.0", "pinned"),
        (
            "https://github.com/a/b/releases/tag/v0.2.55",
            "url:github.com/a/b/releases/tag/v0.2.55",
            "0.2.55",
            "pinned",
        ),
        (
            "https://github.com/a/b/blob/master/README.md",
            "url:github.com/a/b/blob/master/README.md",
            "",
            "floating",
        ),
        ("https://github.com/a/b/tree/main", "url:github.com/a/b/tree/main", "", "floating"),
        ("http://www.example.org/a/?b=1", "url:example.org/a?b=1", "", "floating"),
    ],
)
def test_the_work_its_version_and_whether_it_may_change_come_from_the_address(url, work, version, kind):
    address = normalise(url)
    assert (address.work_id, address.version, address.link_kind) == (work, version, kind)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a/",
        "http://example.org/a",
        "https://www.example.org/a?utm_campaign=x",
        "https://EXAMPLE.org:443/a#b",
    ],
)
def test_spellings_of_one_address_are_one_work(url):
    assert normalise(url).work_id == "url:example.org/a"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "paste the address of the page that was read"),
        ("ftp://example.org/a", "has to start with http:// or https://"),
        ("javascript:alert(1)", "has to start with http:// or https://"),
        ("example.org/a", "has to start with http:// or https://"),
        ("https://", "names no host"),
        ("https:///a", "names no host"),
        ("https://user:pass@example.org/", "remove everything up to the @"),
        ("https://example.org\\@evil.org/", "backslash"),
        ("https://example.org/a\nb", "U+000A"),
        ("https://example.org/a\x00", "U+0000"),
        ("https://example.org/a b", "U+0020"),
        ("https://example.org/\ud800", "half a character"),
        ("https://exa\u200bmple.org/", "invisible character"),
        ("https://exa%6dple.org/", "invisible character"),
        ("https://localhost/", "no public host name"),
        ("https://printer.local/", "no public host name"),
        ("https://127.0.0.1/", "no public host name"),
        ("https://10.0.0.10/", "no public host name"),
        ("https://①②⑦.0.0.1/", "no public host name"),
        ("https://[::1]/", "no public host name"),
        ("https://example.org:99999/", "no host with a port"),
        ("https://example.org:x/", "no host with a port"),
        ("https://[::1/", "no host with a port"),
        ("https://example.org/" + "a" * 2000, "may have 2000"),
    ],
)
def test_what_is_no_address_is_refused_with_a_remedy(url, words):
    with pytest.raises(AddressError) as refusal:
        normalise(url)
    assert words in str(refusal.value)


@given(st.text(max_size=100))
def test_any_text_is_an_address_or_is_refused(text):
    for url in (text, "https://" + text, "https://example.org/" + text):
        with contextlib.suppress(AddressError):
            address = normalise(url)
            assert normalise(address.url) == address


@pytest.mark.parametrize("piece", ["a/../", "%41", "?a=1&", "a.", "@", ":", "[", "ü"])
def test_a_hostile_address_is_answered_at_once(piece):
    began = time.perf_counter()
    for url in (
        "https://" + piece * (50_000 // len(piece)),
        "https://example.org/" + piece * (1900 // len(piece)),
    ):
        with contextlib.suppress(AddressError):
            normalise(url)
    assert time.perf_counter() - began < 0.2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.reasoning.slugs import SlugError, refuse_collision, slug_of


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("GLM-4.5", "glm-4-5"),
        ("Qwen3.8-27B", "qwen3-8-27b"),
        ("DeepSeek-V4.1-Flash", "deepseek-v4-1-flash"),
        ("Llama 3.3 70B Instruct", "llama-3-3-70b-instruct"),
        ("gpt-oss-120b", "gpt-oss-120b"),
        (
            "Kubernetes GPU orchestration — NVIDIA device plugin",
            "kubernetes-gpu-orchestration-nvidia-device-plugin",
        ),
        ("Société & Fils", "societe-fils"),
        ("  .A. ", "a"),
    ],
)
def test_a_name_becomes_an_address(name, slug):
    assert slug_of(name) == slug


@given(st.text(max_size=60))
def test_an_address_is_its_own_address(name):
    try:
        slug = slug_of(name)
    except SlugError:
        return
    assert slug_of(slug) == slug


def test_a_name_in_another_script_asks_for_a_slug():
    with pytest.raises(SlugError, match="give the slug by hand"):
        slug_of("智谱")


def test_a_long_name_asks_for_a_shorter_slug():
    with pytest.raises(SlugError, match="at most 100"):
        slug_of("a" * 101)


def test_two_names_with_one_address_are_told_apart():
    with pytest.raises(SlugError, match="“Qwen3-8-27B” and “Qwen3.8-27B” would both be at “qwen3-8-27b”"):
        refuse_collision("Qwen3-8-27B", slug_of("Qwen3-8-27B"), "checkpoint", {"qwen3-8-27b": "Qwen3.8-27B"})


def test_the_same_name_does_not_collide_with_itself():
    assert refuse_collision("GLM-4.5", "glm-4-5", "checkpoint", {"glm-4-5": "GLM-4.5"}) is None


@pytest.mark.parametrize("kind", ["gpu", "checkpoint", "runtime"])
def test_the_address_of_the_comparison_is_reserved(kind):
    with pytest.raises(SlugError, match="page of its own"):
        refuse_collision("Compare", "compare", kind, {})

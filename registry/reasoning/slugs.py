"""Addresses made from names: lower case, hyphens, dots become hyphens, stable."""

import re
import unicodedata
from collections.abc import Mapping

LONGEST_SLUG = 100
RESERVED = {"gpu": {"compare"}, "checkpoint": {"compare"}, "runtime": {"compare"}, "research": {"cases"}}


class SlugError(ValueError):
    """No address can be made from the name, or the address is taken; the message says what to do."""


def slug_of(name: str) -> str:
    """Return the address part for a name: "GLM-4.5" gives "glm-4-5", "Llama 3.3 70B" gives "llama-3-3-70b".

    Accents are dropped; letters of other scripts have no address form, so a name without one Latin letter or digit
    raises SlugError, as does one that needs more than 100 characters.
    """
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if not slug:
        raise SlugError(
            f"“{name}” has no Latin letter or digit to make an address from: give the slug by hand."
        )
    if len(slug) > LONGEST_SLUG:
        raise SlugError(
            f"“{name[:60]}…” makes an address of {len(slug)} characters: give one of at most {LONGEST_SLUG}."
        )
    return slug


def refuse_collision(name: str, slug: str, kind: str, taken: Mapping[str, str]) -> None:
    """Raise SlugError if the slug is reserved for its kind or leads to another name.

    `taken` maps the slugs in use, former ones included, to the names they lead to.
    """
    if slug in RESERVED.get(kind, ()):
        raise SlugError(f"“{slug}” is the address of a page of its own: choose another slug for “{name}”.")
    if slug in taken and taken[slug] != name:
        raise SlugError(
            f"“{name}” and “{taken[slug]}” would both be at “{slug}”: dots and spaces become hyphens in an address, "
            "so give one of them another slug."
        )

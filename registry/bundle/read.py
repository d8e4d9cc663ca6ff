"""One file of a bundle read, strictly: what two JSON readers could take differently is refused."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from registry.bundle.layout import MANIFEST, expected_head, kind_of
from registry.bundle.problems import Problem, pointer, shown

DEEPEST = 20
MOST_PROBLEMS = 5_000  # of one file: nobody reads more, and hostile files have millions
EXACT = 15  # digits every JSON reader takes for the same whole number
SCHEMA = Path(__file__).with_name("schema.json")

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_NESTING = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Control characters and those that turn the direction of writing: nobody sees them, and the words are others to a reader.
_INVISIBLE = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


class _Object(dict):
    """An object that remembers the names it was given more than once."""

    twice: list[str]


def parse(name: str, content: bytes) -> tuple[Any, list[Problem]]:
    """Return the document in one file's bytes and what is wrong with it, against the schema of its kind too.

    The document is None where the bytes are no JSON; with other problems it is given, as most of it may be sound.
    """
    if name != MANIFEST and not kind_of(name):
        remedy = "See registry/bundle/schema.json for the files of a bundle."
        return None, [Problem(name, "", None, "No file of a bundle has this name.", remedy)]
    text, problem = _decoded(name, content)
    if problem:
        return None, [problem]
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_Refused,
            parse_int=_integer,
            parse_float=_Refused,
        )
    except json.JSONDecodeError as error:
        message = f"Line {error.lineno}, column {error.colno} is no JSON: {error.msg}."
        return None, [Problem(name, "", None, message, "Correct the file there.")]
    strict = (problem for found in _walk(document) for problem in _strict(name, *found))
    problems = list(islice(strict, MOST_PROBLEMS)) or list(
        islice(_against_schema(name, document), MOST_PROBLEMS)
    )
    if len(problems) == MOST_PROBLEMS:
        message = f"The file has {MOST_PROBLEMS:,} problems or more."
        problems.append(Problem(name, "", None, message, "Correct these first; it was not read further."))
    return document, problems


def _decoded(name: str, content: bytes) -> tuple[str, Problem | None]:
    if content.startswith(b"\xef\xbb\xbf"):
        return "", Problem(
            name, "", None, "The file starts with a byte order mark.", "Save it as UTF-8 without BOM."
        )
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"Byte {error.start} is not UTF-8."
        return "", Problem(name, "", None, message, "Save the file as UTF-8.")
    depth = 0
    # Counted in the text, because a parser that recurses would have failed already.
    for bracket in _NESTING.finditer(_STRINGS.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > DEEPEST:
            message = f"The file nests deeper than {DEEPEST} levels."
            return "", Problem(
                name, "", None, message, "No record of a bundle needs that: check the brackets."
            )
    return text, None


class _Refused(str):
    """A number the format has no place for, kept as text so that its pointer can be named."""


def _integer(digits: str) -> int | _Refused:
    return int(digits) if len(digits) <= EXACT else _Refused(digits)


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    built = _Object(pairs)
    built.twice = []
    if len(built) != len(pairs):
        names = Counter(name for name, _ in pairs)
        built.twice = [name for name, count in names.items() if count > 1]
    return built


def _walk(document: Any) -> Iterator[tuple[Any, tuple[str | int, ...]]]:
    """Yield every value and name of a document with its place, in the order they stand there."""
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(document, ())]
    while waiting:
        value, at = waiting.pop()
        yield value, at
        if isinstance(value, dict):
            for name, inner in reversed(value.items()):
                waiting += (inner, (*at, name)), (name, (*at, name))
        elif isinstance(value, list):
            waiting += [(inner, (*at, index)) for index, inner in reversed([*enumerate(value)])]


def _strict(name: str, value: Any, at: tuple[str | int, ...]) -> Iterator[Problem]:
    if isinstance(value, _Object):
        for field in value.twice:
            yield Problem(
                name, pointer(*at, field), None, "This name stands twice in one object.", "Keep one of them."
            )
    elif isinstance(value, _Refused):
        remedy = "Write figures as text in quotation marks, in plain digits."
        yield Problem(name, pointer(*at), value, "is a bare number.", remedy)
    elif isinstance(value, str):
        if _SURROGATE.search(value):
            yield Problem(
                name,
                pointer(*at),
                value,
                "holds half a character (a lone surrogate).",
                "Type the text again.",
            )
        if hidden := _INVISIBLE.search(value):
            message = f"holds a character that nobody sees (U+{ord(hidden[0]):04X})."
            remedy = "Remove it; between words use a space."
            yield Problem(name, pointer(*at), value, message, remedy)
        elif value != value.strip():
            yield Problem(name, pointer(*at), value, "begins or ends with a blank.", "Remove the blank.")


@cache
def _validators() -> dict[str, Draft202012Validator]:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return {
        name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
        for name in schema["$defs"]
        if name.endswith("_file")
    }


def _against_schema(name: str, document: Any) -> Iterator[Problem]:
    kind = kind_of(name)
    for error in _validators()[f"{kind or 'manifest'}_file"].iter_errors(document):
        value, message = _said(error)
        yield Problem(name, pointer(*error.absolute_path), value, message, _remedy(error))
    head = expected_head(name)
    if head and isinstance(document, dict) and document.get(head[0], "") != head[1]:
        remedy = (
            f"Write “{head[1]}” or rename the file."
            if head[1]
            else f"Leave out “{head[0]}” or rename the file."
        )
        yield Problem(
            name, pointer(head[0]), document.get(head[0]), "is not what the file's name says.", remedy
        )


def _said(error: Any) -> tuple[Any, str]:
    """Return the value to show and what is wrong with it."""
    if error.validator == "required":
        missing = [field for field in error.validator_value if field not in error.instance]
        return None, f"Here is missing: {', '.join(missing)}."
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        return ", ".join(unknown), "is no field here."
    value = error.instance if isinstance(error.instance, str | int) else None
    if error.validator == "enum":
        return value, f"is none of {', '.join(map(str, error.validator_value))}."
    if error.validator == "maxLength":
        return value, f"has {len(error.instance)} characters; at most {error.validator_value} are kept."
    if error.validator == "type":
        return (
            value,
            f"has to be {error.validator_value}."
            if value is not None
            else f"This has to be {error.validator_value}.",
        )
    if error.validator == "pattern":
        return value, "does not have the right form."
    return value, shown(error.message, 120) + "."


def _remedy(error: Any) -> str:
    schema = error.schema if isinstance(error.schema, dict) else {}
    return schema.get("description", "See registry/bundle/schema.json.")

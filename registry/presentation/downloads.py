import csv
import io
import re

from registry.presentation.claims import flags_of

# New columns are added at the end: clients count on this order.
COLUMNS = [
    "subject",
    "subject_name",
    "group",
    "property",
    "property_label",
    "condition",
    "state",
    "value",
    "low",
    "high",
    "bound",
    "unit",
    "as_stated",
    "conditions",
    "boundary",
    "derivation",
    "asserter",
    "flags",
    "claim",
    "revision",
    "record_date",
    "sources",
    "source_addresses",
    "published",
    "verified",
]
# At the start of a cell, or of what a spreadsheet that splits at semicolons or commas takes for one.
_FORMULA = re.compile(r"""(^|[;,])['"\s\ufeff\u00a0\u00ad\u200b-\u200d\u2060]*[=+\-@＝＋－＠\t\r\n]""")
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")


def claims_csv(subjects, claims, provenance):
    """Claims as CSV text, figures in the property's unit, flags in the same words as the pages.

    A row a claim, property by property and subject by subject; a subject without a claim on a property that another
    one has is a row with the state "not_reviewed".
    """
    places = {}
    for claim in claims:
        places.setdefault((claim.property, claim.subject_id), []).append(claim)
    properties = sorted({property for property, _ in places}, key=lambda p: (p.position, p.key))
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for property in properties:
        for subject in subjects:
            said = places.get((property, subject.pk), [])
            rows = [_row(claim, provenance) for claim in said] or [_not_reviewed(subject, property)]
            writer.writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


def _not_reviewed(subject, property):
    known = [subject.slug, subject.name, property.group, property.key, property.label, property.condition]
    row = dict.fromkeys(COLUMNS, "") | dict(zip(COLUMNS, known, strict=False))
    return list((row | {"state": "not_reviewed", "unit": property.unit}).values())


def _row(claim, provenance):
    lines = {cited.source.record_url: cited.source for cited in provenance.drawer(claim).citations}.values()
    return [
        claim.subject.slug,
        claim.subject.name,
        claim.property.group,
        claim.property.key,
        claim.property.label,
        claim.property.condition,
        # One word each that pandas does not take for a missing value.
        claim.value_kind.replace(" ", "_") if claim.value_kind != "none" else "known_not_to_exist",
        *("" if number is None else f"{number:f}" for number in (claim.value, claim.low, claim.high)),
        claim.bound,
        claim.property.unit,
        claim.text,
        claim.conditions,
        claim.boundary,
        claim.derivation,
        claim.asserter.name,
        "; ".join(flag.words for flag in flags_of(claim)),
        f"C-{claim.number}",
        claim.revision,
        claim.record_date.isoformat(),
        " ".join(line.record_url.rpartition("/")[2] for line in lines),
        " ".join(line.url for line in lines),
        "; ".join(_dated(line) for line in lines),
        "; ".join(f"{line.verified}, {line.read_as}" if line.read_as else line.verified for line in lines),
    ]


def _dated(line):
    """The date of publication; another date says what it is."""
    if not line.date:
        return "not stated"
    return line.date if line.date_form == "Publication" else f"{line.date_form.lower()} {line.date}"


def guarded(cell):
    """A cell no spreadsheet takes for a formula: text that begins like one gets an apostrophe; numbers stay."""
    text = str(cell)
    return f"'{text}" if _FORMULA.search(text) and not _NUMBER.match(text) else text

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
_FORMULA = re.compile(r"""^['"\s\ufeff\u00a0]*[=+\-@＝＋－＠\t\r\n]""")
_NUMBER = re.compile(r"^-?\d+(\.\d+)?$")


def claims_csv(claims, provenance):
    """Claims as CSV text, a row a claim, figures in the property's unit, flags in the same words as the pages."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for claim in claims:
        writer.writerow([guarded(cell) for cell in _row(claim, provenance)])
    return out.getvalue()


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
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text

"""The registry's rules: its own .sql files, and the life of an entry rendered once for each kind of entry."""

from pathlib import Path

from registry.models import (
    BenchmarkCitation,
    BenchmarkRecord,
    Claim,
    ClaimCitation,
    ClaimContext,
    Measurement,
    Reproduction,
    ReproductionCitation,
)
from sources import rules as source_rules

FOLDER = Path(__file__).parent

# Entry → its citations, its other children, and the word people use.
ENTRIES = {
    Claim: (ClaimCitation, [ClaimContext], "claim"),
    Reproduction: (ReproductionCitation, [], "reproduction"),
    BenchmarkRecord: (BenchmarkCitation, [Measurement], "benchmark record"),
}

WRITTEN_BY_RULES = [
    *source_rules.WRITTEN_BY_RULES,
    "registry_publication",
    "registry_publicationhead",
    "registry_registrystate",
    "registry_formerslug",
    "registry_metric",
    "django_migrations",
]


def statements():
    """Every rule of the registry as SQL, in the order it must be installed."""
    own = [path.read_text() for path in sorted(FOLDER.glob("*.sql"))]
    return [*source_rules.statements(), *own, *_life_of_entries()]


def _life_of_entries():
    lifecycle = (FOLDER / "entry" / "lifecycle.sql").read_text()
    child = (FOLDER / "entry" / "child.sql").read_text()
    for entry, (citation, others, noun) in ENTRIES.items():
        words = {
            "@entry@": entry._meta.db_table,
            "@citation@": citation._meta.db_table,
            "@letter@": entry.letter,
            "@called@": f"{entry._meta.db_table}_name(OLD.number, OLD.revision, OLD.id)",
            "@generated@": " ".join(
                f"compared.{field.column} := OLD.{field.column};"
                for field in entry._meta.fields
                if field.generated
            ),
            "@noun@": noun,
        }
        yield _rendered(lifecycle, words)
        for model in [citation, *others]:
            parts = (
                "citations" if model is citation else model._meta.get_field("entry").remote_field.related_name
            )
            yield _rendered(child, {**words, "@child@": model._meta.db_table, "@parts@": parts})


def _rendered(text, words):
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text

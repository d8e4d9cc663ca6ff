"""Which records of the register a result file seems to mean: for a person to confirm, never more than a suggestion."""

import re
from collections.abc import Callable

from registry.actions.benchmark_plan import ROLES, printed
from registry.models import Checkpoint, Subject
from registry.readers.run import Report


def suggested(report: Report) -> dict[str, dict[str, Subject | None]]:
    """Role → what the file prints → the subject it seems to mean, for a person to confirm; None where it is not clear."""
    found: dict[str, dict[str, Subject | None]] = {}
    for role, kind in ROLES.items():
        words = dict.fromkeys(printed(run)[role] for run in report.runs if not run.refused)
        meant = _checkpoints() if kind == "checkpoint" else _named(list(Subject.objects.filter(kind=kind)))
        found[role] = {each: meant(each) for each in words}
    return found


def _checkpoints() -> Callable[[str], Subject | None]:
    """A checkpoint is meant by its exact identifier only."""
    rows = Checkpoint.objects.select_related("subject")
    by_identifier = {row.identifier.casefold(): row.subject for row in rows}
    return lambda words: by_identifier.get(words.casefold()) if words else None


def _named(subjects: list[Subject]) -> Callable[[str], Subject | None]:
    """Finds the one subject all words of whose name stand in what is printed; None where none or several do."""
    named = [(subject, set(re.findall(r"[a-z0-9]+", subject.name.lower()))) for subject in subjects]
    by_slug = {subject.slug: subject for subject in subjects}

    def meant(printed: str) -> Subject | None:
        if exact := by_slug.get(printed.strip().lower()):
            return exact
        words = set(re.findall(r"[a-z0-9]+", printed.lower()))
        found = [subject for subject, name in named if name and name <= words]
        longest = [s for s in found if not any(s is not o and len(s.name) < len(o.name) for o in found)]
        return longest[0] if len(longest) == 1 else None

    return meant

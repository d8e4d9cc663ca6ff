"""The files of a bundle's folder: those that are read, and a problem for each thing that looks like one and is not."""

import os
import stat
from pathlib import Path

from registry.bundle.problems import Problem


def files_in(folder: Path) -> tuple[dict[str, Path], list[Problem]]:
    """Return the folder's files (name below it → path, sorted) and a problem for what would be passed over silently.

    Links are not followed, so that nothing outside the folder is read; pipes and devices are not opened, because they
    may never end.
    """
    found: dict[str, Path] = {}
    problems: list[Problem] = []

    def name_of(path: str | Path) -> str:
        return Path(path).relative_to(folder).as_posix()

    def unreadable(error: OSError) -> None:
        problems.append(cannot_be_read(name_of(error.filename), error))

    for place, folders, names in os.walk(folder, onerror=unreadable):
        for name in (*folders, *names):
            path = Path(place, name)
            try:
                mode = path.lstat().st_mode
            except OSError as error:
                unreadable(error)
                continue
            if stat.S_ISLNK(mode):
                remedy = "Put the file or folder itself in its place."
                problems.append(
                    Problem(name_of(path), "", None, "This is a link, and links are not followed.", remedy)
                )
            elif not name.endswith(".json"):
                continue  # notes, and the folders that are walked
            elif stat.S_ISREG(mode):
                found[name_of(path)] = path
            else:
                what = "a folder" if stat.S_ISDIR(mode) else "a pipe, socket or device"
                problems.append(
                    Problem(name_of(path), "", None, f"This is {what}, not a file.", "Remove or rename it.")
                )
    return dict(sorted(found.items())), sorted(problems, key=lambda problem: problem.file)


def cannot_be_read(name: str, error: OSError) -> Problem:
    """Return the problem of a file or folder that the system does not let us read."""
    message = f"This cannot be read ({error.strerror or type(error).__name__})."
    return Problem(name, "", None, message, "Make it readable for whoever loads the bundle.")

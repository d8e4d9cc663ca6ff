"""Laws about what lies in the repository: nothing of one machine, a reason for each dependency, locks with hashes."""

import re
import tomllib

from tests.house.files import PROJECT, text_of, tracked

# Written in two parts so that this file passes its own test.
MACHINE_PATHS = re.compile(
    "|".join(("/wo" + "rk/", "/ro" + "ot/", "/ho" + r"me/[a-z]", "/tm" + r"p/[a-z]", r"[A-Z]:\\\\Users"))
)
INDEX_HOSTS = re.compile(
    "|".join(
        ("py" + r"pi\.org", "pytho" + r"nhosted\.org", "registry\\.npm" + r"js\.org", "deb\\.debi" + "an")
    )
)


def places(pattern: re.Pattern[str]) -> str:
    """Where a pattern stands in tracked text files, one line each; quotations in the fixtures are others' words."""
    return "\n".join(
        f"{path}:{number}: {line.strip()[:120]}"
        for path in tracked()
        if path.parts[0] != "fixtures"
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    )


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    assert not places(MACHINE_PATHS)


def test_no_file_names_a_package_index() -> None:
    assert not places(INDEX_HOSTS)


def test_every_dependency_states_its_reason() -> None:
    text = (PROJECT / "pyproject.toml").read_text()
    project = tomllib.loads(text)
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    silent = [name for name in declared if not re.search(rf'"{re.escape(name)}",\s+# \S', text)]
    assert not silent


def test_every_declared_dependency_is_locked() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    for names, file in (
        (project["project"]["dependencies"], "requirements.txt"),
        (project["dependency-groups"]["dev"], "requirements-dev.txt"),
    ):
        locked = set(re.findall(r"^([a-z0-9-]+)==", (PROJECT / file).read_text(), re.MULTILINE))
        wanted = {re.split(r"[\[<>=!]", name)[0].lower().replace("_", "-") for name in names}
        assert wanted <= locked, f"{file} lacks {sorted(wanted - locked)}: run `make lock`"


def test_locked_packages_carry_hashes_and_no_address() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        text = (PROJECT / file).read_text()
        packages = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)
        bare = [
            package.split()[0] for package in packages if "==" in package and "--hash=sha256:" not in package
        ]
        assert not bare, f"{file}: {bare} without a hash"
        assert "://" not in text, file
        assert not re.search(r"^(-|--)", text, re.MULTILINE), file

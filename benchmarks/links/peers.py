"""The other link checkers: where each comes from, how it is started, and how far it can be told to be polite."""

import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The one place for versions. linkinator 8 asks for Node 22; this is the last one that runs on Node 20.
VERSIONS = {"linkinator": "7.6.1", "LinkChecker": "10.6.0", "django-linkcheck": "2.4.0"}
THREADS = 64  # wherever a peer takes a number


class SkippedError(Exception):
    """Why a peer cannot take part; one line."""


@dataclass(frozen=True)
class Ground:
    """What a run offers its peers."""

    cache: Path  # where peers are installed, kept from run to run
    folder: Path  # for this run alone
    file: Path  # the addresses, one a line
    listing: str  # address of a page that links to all of them


@dataclass(frozen=True)
class Start:
    """A command that checks all addresses, and how its standard input is filled."""

    command: Sequence[str]
    stdin: Path | None = None


@dataclass(frozen=True)
class Peer:
    """A link checker, with what was told to it about politeness, and what it is given."""

    name: str
    told: str
    ready: Callable[[Ground], Start]  # installs what is missing; raises SkippedError

    @property
    def version(self) -> str:
        """The version installed, "" for what needs no installing."""
        return VERSIONS.get(self.name, "")


def _run(*command: str) -> None:
    """Run a step of an installation. Raises SkippedError with its last words."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip() or error.stdout.strip() or "it said nothing").splitlines()[-1]
        words = " ".join(Path(word).name for word in command[:2])
        raise SkippedError(f"`{words} …` failed: {last[:200]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SkippedError(f"`{Path(command[0]).name}` cannot be run: {error}") from error


def _installed(ground: Ground, name: str, install: Callable[[Path], None]) -> Path:
    """The folder of a peer, filled if it is not there in this version. Half an installation is thrown away."""
    folder = ground.cache / f"{name.lower()}-{VERSIONS[name]}"
    mark = folder / "complete"
    if not mark.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        install(folder)
        mark.touch()
    return folder


def _python(ground: Ground, name: str) -> Path:
    """The programs of a virtual environment that holds a package from Python's index."""

    def install(folder: Path) -> None:
        venv.create(folder, with_pip=True)
        _run(str(folder / "bin/python"), "-m", "pip", "install", "--quiet", f"{name}=={VERSIONS[name]}")

    return _installed(ground, name, install) / "bin"


def _linkinator(ground: Ground) -> Start:
    def install(folder: Path) -> None:
        npm = shutil.which("npm") or "npm"
        _run(npm, "install", f"--prefix={folder}", "--no-fund", "--no-audit", "--ignore-scripts",
             f"linkinator@{VERSIONS['linkinator']}")  # fmt: skip

    folder = _installed(ground, "linkinator", install)
    program = folder / "node_modules/.bin/linkinator"
    return Start([str(program), ground.listing, f"--concurrency={THREADS}", "--format=csv"])


def _linkchecker(ground: Ground) -> Start:
    programs = _python(ground, "LinkChecker")
    settings = ground.folder / "linkcheckerrc"
    settings.write_text(f"[checking]\nthreads={THREADS}\nrecursionlevel=0\nmaxrequestspersecond=100000\n")
    command = [
        str(programs / "linkchecker"),
        f"--config={settings}",
        "--no-status",
        "--output=csv",
        "--verbose",
    ]
    return Start([*command, "--stdin"], ground.file)


def _django_linkcheck(ground: Ground) -> Start:
    python = _python(ground, "django-linkcheck") / "python"
    site = [str(python), str(HERE / "site_of_django_linkcheck.py")]
    database = ground.folder / "django-linkcheck.sqlite3"
    _run(*site, "prepare", str(database), str(ground.file))
    return Start([*site, "check", str(database)])


def _loop(*options: str) -> Callable[[Ground], Start]:
    return lambda ground: Start([sys.executable, str(HERE / "loop.py"), str(ground.file), *options])


PEERS = (
    Peer("requests", "64 threads; a plain loop knows nothing of hosts", _loop()),
    Peer("requests-turns", "the same with a lock for each host: one at a time", _loop("--turns")),
    Peer(
        "linkinator",
        "given a page that links to the addresses, no recursion; 64 at once in all; cannot be told anything about hosts",
        _linkinator,
    ),
    Peer(
        "LinkChecker",
        "given the addresses, no recursion; 64 threads; cannot be told one at a time, but requests a second for each host, "
        "set so high that it never pauses once a host's first answer has lifted its own limit by a header, as the farm's do",
        _linkchecker,
    ),
    Peer(
        "django-linkcheck",
        "given the addresses as rows; asks one address after the other, so that one at a time goes without saying",
        _django_linkcheck,
    ),
)

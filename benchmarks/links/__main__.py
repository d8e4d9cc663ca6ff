"""The measurement itself; run.py starts it with servers of its own and says what the options are."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.links import product
from benchmarks.links.memory import Sampler
from benchmarks.links.pages import addresses
from benchmarks.links.peers import PEERS, Ground, Peer, SkippedError
from benchmarks.links.report import PRODUCT, Measured, as_json, memory_through_the_run, table

PROJECT = Path(__file__).resolve().parents[2]
LONGEST = 1200  # seconds that any of them may take
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evidence-registry-benchmarks"


class Farm:
    """The farm in a process of its own, and its control address."""

    def __init__(self, port: int) -> None:
        self.port = port

    def address(self, path: str) -> str:
        """An address of the control host."""
        return f"http://127.0.0.1:{self.port}{path}"

    def ask(self, path: str) -> dict:
        """What the control host answers."""
        with urllib.request.urlopen(self.address(path), timeout=20) as answer:
            return json.load(answer)


@contextmanager
def farming(count: int, hosts: int, delay: float) -> Iterator[Farm]:
    """A farm until the end of the block."""
    options = [f"--addresses={count}", f"--hosts={hosts}", f"--delay-ms={delay}"]
    command = [sys.executable, "-m", "benchmarks.links.farm", *options]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield Farm(json.loads(process.stdout.readline())["port"])
        finally:
            process.stdin.close()


def measured(peer: Peer, farm: Farm, ground: Ground) -> Measured:
    """Run a peer on the addresses."""
    row = Measured(peer.name, peer.version, peer.told)
    try:
        start = peer.ready(ground)
    except SkippedError as reason:
        row.skipped = str(reason)
        return row
    farm.ask("/reset")
    stdin = start.stdin.open() if start.stdin else subprocess.DEVNULL
    with (ground.folder / f"{peer.name}.txt").open("w") as said:
        began = time.monotonic()
        process = subprocess.Popen(start.command, stdin=stdin, stdout=said, stderr=said, cwd=ground.folder)
        with Sampler([process.pid]) as taken:
            try:
                code = process.wait(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                row.skipped = f"it was not done after {LONGEST} s"
        row.seconds = round(time.monotonic() - began, 3)
    row.take(farm.ask("/counts"), taken)
    if not row.skipped and code:
        row.notes.append(f"ended with exit code {code}")
    return row


def measured_product(farm: Farm) -> Measured:
    """Run the registry's workers on the links that are due."""
    row = Measured(PRODUCT, "", product.TOLD)
    farm.ask("/reset")
    row.seconds, taken = product.measure(farm.port)
    row.take(farm.ask("/counts"), taken)
    row.notes.append(f"found {product.found()}")
    return row


def compare(options: argparse.Namespace, names: list[str]) -> int:
    """The product and its peers, side by side; 1 where one that took part left addresses out."""
    rows = []
    with (
        farming(options.addresses, options.hosts, options.delay_ms) as farm,
        tempfile.TemporaryDirectory(prefix="registry-links-") as folder,
    ):
        listed = addresses(options.addresses, options.hosts, farm.port)
        file = Path(folder) / "addresses"
        file.write_text("".join(f"{url}\n" for _, url in listed))
        ground = Ground(options.cache, Path(folder), file, farm.address("/list"))
        for name in names:
            sys.stderr.write(f"{name} …\n")
            if name == PRODUCT:
                product.cite(listed)
                rows.append(measured_product(farm))
            else:
                rows.append(measured(next(peer for peer in PEERS if peer.name == name), farm, ground))
    for row in rows:
        if not row.skipped and row.asked != options.addresses:
            row.notes.append(f"asked only {row.asked} of {options.addresses} addresses")
    given = {
        "addresses": options.addresses,
        "hosts": options.hosts,
        "delay_ms": options.delay_ms,
        "cores": os.cpu_count(),
    }
    words = ", ".join(f"{value:g} {name.replace('_', ' ')}" for name, value in given.items())
    sys.stdout.write(as_json(given, rows) + "\n" if options.json else f"{words}\n\n{table(rows)}")
    return int(any(not row.skipped and row.asked != options.addresses for row in rows))


def memory(options: argparse.Namespace) -> int:
    """The product alone on many addresses, its memory through the run."""
    with farming(options.checks, options.hosts, options.delay_ms) as farm:
        product.cite(addresses(options.checks, options.hosts, farm.port))
        seconds, taken = product.measure(farm.port)
        counts = farm.ask("/counts")
    if options.json:
        samples = [[round(at, 2), *trees] for at, trees in taken.samples]
        told = {"checks": options.checks, "seconds": seconds, "counts": counts, "samples_s_bytes": samples}
        sys.stdout.write(json.dumps(told) + "\n")
    else:
        rate = options.checks / seconds
        sys.stdout.write(
            f"{options.checks} checks in {seconds:.1f} s, {rate:.0f} a second: {product.found()}\n"
        )
        sys.stdout.write(f"most requests at once to a host: {counts['most_at_once']}\n\n")
        sys.stdout.write(memory_through_the_run(taken) + "\n")
    return 0


def main() -> int:
    """Measure what the options say."""
    names = [PRODUCT, *(peer.name for peer in PEERS)]
    parser = argparse.ArgumentParser(prog="python benchmarks/links/run.py", description=__doc__)
    parser.add_argument("--addresses", type=int, default=2000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--delay-ms", type=float, default=50.0, help="before each answer")
    parser.add_argument(
        "--only",
        action="append",
        choices=names,
        metavar="NAME",
        help=f"one of {', '.join(names)}; may be repeated",
    )
    parser.add_argument(
        "--checks",
        type=int,
        metavar="N",
        help="the registry alone on N addresses, its memory through the run",
    )
    parser.add_argument("--cache", type=Path, default=_CACHE, help="folder in which the others are installed")
    parser.add_argument("--json", action="store_true", help="print JSON in place of tables")
    options = parser.parse_args()
    return memory(options) if options.checks else compare(options, options.only or names)


if __name__ == "__main__":
    sys.exit(main())

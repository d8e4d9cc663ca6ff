"""What processes and all that they start take: resident memory and processor time, sampled from outside."""

import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

INTERVAL = 0.2  # seconds between two samples
MIB = 1 << 20


@dataclass
class Taken:
    """Samples of one row of process trees: (seconds since the start, bytes of each tree), and processor seconds."""

    samples: list[tuple[float, list[int]]] = field(default_factory=list)
    cpu: dict[int, float] = field(default_factory=dict)  # seconds of each process when it was last seen

    @property
    def peak(self) -> float:
        """MiB: the most that all trees together took at once. Pages that processes share count in each of them."""
        return max((sum(trees) for _, trees in self.samples), default=0) / MIB

    @property
    def cpu_seconds(self) -> float:
        """Processor seconds of all processes, without what a short one used after its last sample."""
        return sum(self.cpu.values())


class Sampler:
    """Samples process trees by their roots in a thread, within a `with` block."""

    def __init__(self, roots: Sequence[int]) -> None:
        self.taken = Taken()
        self._roots = [psutil.Process(root) for root in roots]
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)
        self._before: dict[int, float] = {}

    def __enter__(self) -> Taken:
        self._began = time.monotonic()
        self._sample()
        # What a process had used before does not count: workers wait for their work.
        self._before = dict(self.taken.cpu)
        self._thread.start()
        return self.taken

    def __exit__(self, *raised: object) -> None:
        self._ended.set()
        self._thread.join()
        self._sample()
        for process, seconds in self._before.items():
            self.taken.cpu[process] -= seconds

    def _run(self) -> None:
        while not self._ended.wait(INTERVAL):
            self._sample()

    def _sample(self) -> None:
        trees = [self._tree(root) for root in self._roots]
        if any(trees):
            self.taken.samples.append((time.monotonic() - self._began, trees))

    def _tree(self, root: psutil.Process) -> int:
        """Bytes of a process and all below it; 0 once it has ended."""
        total = 0
        with suppress(psutil.Error):
            for process in [root, *root.children(recursive=True)]:
                with suppress(psutil.Error), process.oneshot():
                    total += process.memory_info().rss
                    times = process.cpu_times()
                    self.taken.cpu[process.pid] = times.user + times.system
        return total

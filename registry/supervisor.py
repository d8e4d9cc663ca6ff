"""Child processes of `make serve`: started, watched, restarted with growing pauses, and stopped together."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

# Every process of an instance carries this name in its environment, so that leftovers of a killed start are found.
MARK = "REGISTRY_SUPERVISED_BY"
LONGEST_PAUSE = 30.0  # seconds between two tries
STEADY = 60.0  # seconds after which a child counts as healthy again
PATIENCE = 10.0  # seconds a child has to finish what it is doing


@dataclass
class Child:
    """One child process. Its own session keeps the terminal's Ctrl-C from it: the supervisor stops it in order."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0

    def start(self) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            self.command, env=dict(self.environment), stdin=subprocess.DEVNULL, start_new_session=True
        )
        self.started = time.monotonic()

    def look(self) -> None:
        """Start it again if it ended and its pause is over."""
        if self.process is not None:
            code = self.process.poll()
            if code is None:
                return
            self._end_group(signal.SIGKILL)
            self.failures = 0 if time.monotonic() - self.started > STEADY else self.failures
            print(
                f"The {self.name} ended (code {code}); starting it again in {self.pause:.0f} s.", flush=True
            )
            self.process = None
            self.started = time.monotonic() + self.pause
            self.failures += 1
        elif time.monotonic() >= self.started:
            self.start()

    @property
    def pause(self) -> float:
        """Seconds until the next try."""
        return min(2.0**self.failures, LONGEST_PAUSE)

    def ask_to_stop(self) -> None:
        """Ask it to end; its workers are its own to stop."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Wait for its end until a moment of the monotonic clock, then end it and all that it started."""
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.1, until - time.monotonic()))
            self._end_group(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def _end_group(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)


def stop_all(children: list[Child]) -> None:
    """Stop the children together, the last started first."""
    for child in reversed(children):
        child.ask_to_stop()
    until = time.monotonic() + PATIENCE
    for child in children:
        child.wait(until)


def end_leftovers(home: Path) -> int:
    """End what a killed supervisor of this folder left running; gives back how many processes that were."""
    left = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(MARK) == str(home):
                process.terminate()
                left.append(process)
    _, stubborn = psutil.wait_procs(left, timeout=PATIENCE)
    for process in stubborn:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(stubborn, timeout=5)
    return len(left)

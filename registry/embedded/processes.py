"""Finding a server's process by its pid file, and waiting for its end."""

import time
from pathlib import Path

import psutil


def server_process(pid_file: Path, folder: Path) -> psutil.Process | None:
    """The process that a pid file names, if it lives and works inside the server's data folder.

    The folder tells the server from a stranger that got its number after a crash.
    """
    try:
        process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
        ours = alive(process) and Path(process.cwd()) == folder.resolve()
    except (OSError, ValueError, psutil.Error):
        return None
    return process if ours else None


def alive(process: psutil.Process) -> bool:
    """Whether it still runs; one that only waits for its parent to notice its end does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def ended(process: psutil.Process, seconds: float) -> bool:
    """Wait for its end; whether it came in time."""
    give_up = time.monotonic() + seconds
    while alive(process):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True

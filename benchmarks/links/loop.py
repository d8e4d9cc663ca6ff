"""The plain loop: `requests` and 64 threads, no more than a person would write in ten minutes.

    python loop.py FILE [--turns]

FILE holds one address a line. With --turns a lock for each host lets one request at a time through.
Imports nothing of the project, so that its memory is that of the loop.
"""

import sys
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import requests

THREADS = 64
turns = defaultdict(threading.Lock)


def ask(address):
    """The status an address answers with."""
    return requests.get(address, timeout=20).status_code


def ask_in_turn(address):
    """The same while nobody else asks its host."""
    with turns[urlsplit(address).netloc]:
        return ask(address)


def main(file, option=""):
    """Ask every address; 1 unless all of them answer with 200."""
    asked = Path(file).read_text().split()
    with ThreadPoolExecutor(THREADS) as threads:
        statuses = list(threads.map(ask_in_turn if option == "--turns" else ask, asked))
    return int(any(status != 200 for status in statuses))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

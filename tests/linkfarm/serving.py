"""The farm in a thread of its own, as `linkfarm.running` does it, but leaving nothing open: here a leak is an error."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.linkfarm import linkfarm


@contextmanager
def serving(**options: Any) -> Iterator[linkfarm.LinkFarm]:
    """A farm with the options of LinkFarm, until the end of the block."""
    loop = asyncio.new_event_loop()
    farm = linkfarm.LinkFarm(**options)
    thread = threading.Thread(target=loop.run_forever, name="linkfarm", daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(farm.start(), loop).result(timeout=120)
        yield farm
    finally:
        asyncio.run_coroutine_threadsafe(_end(farm), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()


async def _end(farm: linkfarm.LinkFarm) -> None:
    """Stop listening, and cut short the answers that are still being held back."""
    await farm.stop()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    # Here and not after the loop: Chromium's driver may be running a loop of its own in the main thread.
    await asyncio.get_running_loop().shutdown_default_executor()

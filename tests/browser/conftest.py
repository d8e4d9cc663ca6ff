"""One page of every type of the live site: the fixtures, and beside them the small registry of tests/pages/world.py."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, django
django.setup()
from tests.pages.world import build
world = build()
from tests.admin import looks
looks.look(world.overview, looks.page(world.overview, world.boards.quotation), days_ago=30)
looks.break_link(world.overview)
looks.look(world.sheet, looks.page(world.sheet, world.page_two.quotation), days_ago=30)
address = "https://moved.example/" + "long" * 100
looks.look(world.sheet, looks.moved(world.sheet, address, world.page_two.quotation.replace("1,979", "1,980")))
names = ["unreproduced", "second_revision", "withdrawn", "not_stated"]
print(json.dumps({name: getattr(world, name).number for name in names}))
"""


@pytest.fixture(scope="session")
def written(live_site):
    """Numbers of claims of the small registry, which is now in the live site for good."""
    environment = {
        **os.environ,
        "DATABASE_URL": live_site.database_url,
        "DATABASE_OWNER_URL": live_site.owner_url,
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=False, capture_output=True, text=True
    )
    if done.returncode:
        pytest.fail(done.stderr, pytrace=False)
    return json.loads(done.stdout)


@pytest.fixture(scope="session")
def addresses(written):
    """Type of page → an address of it."""
    return {
        "home": "/",
        "resources": "/resources",
        "library of GPUs": "/gpus",
        "library of models": "/models",
        "library of runtimes, filtered": "/inference-stack?q=v",
        "library without a match": "/gpus?q=nothing-is-called-so",
        "GPU": "/gpus/h100",
        "GPU with every flag": "/gpus/aster-a1",
        "GPU as of a day": "/gpus/aster-a1?as_of=2024-03-01",
        "model": "/models/llama-3-3-70b-instruct",
        "runtime": "/inference-stack/vllm",
        "comparison to choose": "/gpus/compare",
        "comparison of five": "/gpus/compare?ids=h100,h200,b200,mi300x,mi355x",
        "comparison of differences": "/gpus/compare?ids=aster-a1,boreal-b1&diff=1&as_of=2024-05-01",
        "register": "/sources",
        "register, filtered": "/sources?kind=datasheet&read=second-hand",
        "source": "/sources/aster-overview",
        "source that moved": "/sources/aster-a1-sheet",
        "source of the fixtures": "/sources/nvidia-h100-page",
        "link checker": "/about/link-checker",
        "claim": f"/claims/C-{written['unreproduced']}",
        "corrected claim": f"/claims/C-{written['second_revision']}",
        "superseded revision": f"/claims/C-{written['second_revision']}/1",
        "withdrawn claim": f"/claims/C-{written['withdrawn']}",
        "withdrawn revision": f"/claims/C-{written['withdrawn']}/1",
        "corrections": "/corrections",
        "not found": "/gpus/h1000",
        "not understood": "/gpus?kind=nothing",
    }

"""An allowed site, canaries that nobody may touch, a resolver that lies when asked to, and a record of every connection."""

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace

import pytest

from sources.clients.exchange import Exchange, Failure
from sources.clients.limits import Limits, networks, ports
from sources.clients.web import fetch
from tests.linkfarm import linkfarm
from tests.linkfarm.serving import serving
from tests.sources.clients.site import Site, site_on

PUBLIC = "127.66.0.10"  # stands for a public address: the operator allows its network
CANARIES = ("127.0.0.1", "127.66.6.6", "::1")

_connections: list[str] | None = None


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    """Python tells of every connection before it is made, whoever makes it."""
    if _connections is not None and event == "socket.connect" and isinstance(arguments[1], tuple):
        _connections.append(str(arguments[1][0]))


sys.addaudithook(_watch)


@pytest.fixture
def connections() -> Iterator[list[str]]:
    """The addresses that this process connected to since the test began."""
    global _connections
    _connections = []
    yield _connections
    _connections = None


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """The allowed site."""
    with site_on(PUBLIC) as served:
        yield served


@pytest.fixture(scope="module")
def canaries(site: Site) -> Iterator[list[Site]]:
    """Sites on the allowed site's own port that stand for the inner network."""
    with ExitStack() as stack:
        yield [stack.enter_context(site_on(host, site.port)) for host in CANARIES]


@dataclass
class FakeResolver:
    """Answers from a table: for each name a list of answers, the last of which is repeated."""

    answers: dict[str, list[list[str] | Exception]]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: int) -> list[str]:
        """The next answer for a name."""
        given = self.answers.get(host)
        if given is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        found = given[min(self.asked.count(host), len(given) - 1)]
        self.asked.append(host)
        if isinstance(found, Exception):
            raise found
        return found


@pytest.fixture
def resolver() -> FakeResolver:
    """Names of the payload list; one that is not there does not exist."""
    return FakeResolver(
        {
            "pub.test": [[PUBLIC]],
            "pub2.test": [[PUBLIC]],
            "xn--bcher-kva.test": [[PUBLIC]],
            "mixed.test": [[PUBLIC, "127.0.0.1"]],
            "rebind.test": [[PUBLIC], ["127.0.0.1"]],
            "loop.test": [["127.0.0.1"]],
            "cname.test": [["::1"]],
            "dead-first.test": [["127.66.0.99", PUBLIC]],
        }
    )


@pytest.fixture
def limits(site: Site) -> Limits:
    """Limits of the tests: two seconds, the allowed site's network and port."""
    return Limits(
        deadline=2.0, min_interval=0.0, networks=networks(["127.66.0.0/24"]), ports=ports([str(site.port)])
    )


@pytest.fixture
def look(limits: Limits, resolver: FakeResolver) -> Callable[..., Exchange | Failure]:
    """`fetch` with these limits and this resolver; keywords change a limit."""

    def looked(url: str, **changes: object) -> Exchange | Failure:
        passed = {name: changes.pop(name) for name in ("condition", "admit", "resolver") if name in changes}
        return fetch(url, replace(limits, **changes), **{"resolver": resolver, **passed})  # type: ignore[arg-type]

    return looked


@pytest.fixture(scope="session")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[linkfarm.LinkFarm]:
    """The farm of badly behaved sites, with TLS; slow sites take four seconds."""
    with serving(port=0, slow_s=4, max_hold_s=10, tls_folder=tmp_path_factory.mktemp("tls")) as running:
        yield running


@pytest.fixture
def farm_limits(farm: linkfarm.LinkFarm) -> Limits:
    """What the farm's README says to allow."""
    return Limits(
        deadline=3.5,
        min_interval=0.0,
        networks=networks(["127.0.0.0/16"]),
        ports=ports([str(farm.port), str(farm.tls_port)]),
        authorities=farm.catalogue()["authority"],
    )

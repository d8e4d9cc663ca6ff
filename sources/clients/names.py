"""From a name to the addresses that a connection may go to: looked up once, every answer vetted."""

import socket
import threading
from collections.abc import Callable

from sources.clients.budget import Budget
from sources.clients.exchange import NotFetchedError
from sources.clients.limits import Limits
from sources.clients.targets import Target
from sources.clients.vetting import refusal

# Given a name and a port, the addresses it resolves to, as text; raises socket.gaierror.
Resolver = Callable[[str, int], list[str]]
_NO_SUCH_NAME = {
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY") if hasattr(socket, name)
}


def system_resolver(host: str, port: int) -> list[str]:
    """What the machine's own resolver says, each address once, in its order. Raises socket.gaierror."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in answers))


def vetted_addresses(target: Target, limits: Limits, resolver: Resolver, budget: Budget) -> list[str]:
    """The addresses of a target's host; all of them may be connected to, since one bad answer refuses the name.

    Raises NotFetchedError: "unsafe", "no_such_name" or "dns_failed".
    """
    if target.literal:
        if reason := refusal(target.host, limits.networks):
            raise NotFetchedError("unsafe", f"The address {target.host} {reason}; it is not fetched.")
        return [target.host]
    addresses = _looked_up(target, resolver, budget)
    if not addresses:
        raise NotFetchedError("no_such_name", f"The name {target.host} has no address.")
    for address in addresses:
        if reason := refusal(address, limits.networks):
            # The address itself stays unsaid: an editor must not map an inner network with our help.
            raise NotFetchedError("unsafe", f"The name {target.host} leads to an address that {reason}.")
    return addresses


def _looked_up(target: Target, resolver: Resolver, budget: Budget) -> list[str]:
    """Ask in a thread of its own: a resolver knows no deadline, and it cannot be stopped, only left behind."""
    answer: list[list[str] | Exception] = []

    def ask() -> None:
        try:
            answer.append(resolver(target.host, target.port))
        except Exception as error:
            answer.append(error)

    thread = threading.Thread(target=ask, name="look-up", daemon=True)
    thread.start()
    thread.join(budget.seconds())
    if not answer:
        raise NotFetchedError("dns_failed", f"The resolver gave no answer about {target.host} in time.")
    match answer[0]:
        case socket.gaierror() as error if error.errno in _NO_SUCH_NAME:
            raise NotFetchedError("no_such_name", f"There is no host named {target.host}.")
        case OSError() | UnicodeError():
            raise NotFetchedError("dns_failed", f"The resolver could not look up {target.host}.")
        case Exception() as error:
            raise error
        case addresses:
            return addresses

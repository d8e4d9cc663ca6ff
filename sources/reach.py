"""What the operator lets looks at links reach, and how politely: the settings as limits."""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from sources.clients.limits import Limits, agent, networks, ports


def limits() -> Limits:
    """The limits of a look. Raises ImproperlyConfigured naming the variable that makes no sense."""
    try:
        allowed = networks(settings.LINKCHECK_ALLOWED_NETWORKS)
    except ValueError as error:
        raise ImproperlyConfigured(f"LINKCHECK_ALLOWED_NETWORKS: {error}") from None
    try:
        open_ports = ports(settings.LINKCHECK_ALLOWED_PORTS)
    except ValueError as error:
        raise ImproperlyConfigured(f"LINKCHECK_ALLOWED_PORTS: {error}") from None
    return Limits(
        agent=agent(settings.LINKCHECK_ABOUT),
        deadline=settings.LINKCHECK_DEADLINE,
        min_interval=settings.LINKCHECK_MIN_INTERVAL,
        networks=allowed,
        ports=open_ports,
        authorities=settings.LINKCHECK_AUTHORITIES,
    )

"""Periodic work on the sources, run by Celery workers. A message says only that it is time to see what is due."""

from celery import shared_task
from django.conf import settings

from sources.actions.queue import forget_hosts
from sources.drain import drain, lease


@shared_task(name="sources.tasks.drain", time_limit=lease().total_seconds())
def drain_links() -> None:
    """Look at due links for a while. Lost, late and doubled messages change nothing."""
    drain(settings.LINKCHECK_RUN)


@shared_task(name="sources.tasks.forget_hosts")
def forget_hosts_nightly() -> None:
    """Remove hosts that were only ever redirected to."""
    forget_hosts()

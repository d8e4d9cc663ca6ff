"""Periodic work of the registry, run by the Celery worker."""

from celery import shared_task
from django.core.management import call_command

from registry.actions.uploads import forget_old


@shared_task(time_limit=3600)  # seconds: the whole log is read
def verify_log() -> None:
    """Recompute the publication log; a row that does not match fails the task and stands in the worker's log."""
    call_command("verify_log")


@shared_task
def forget_uploads() -> None:
    """Delete uploaded result files that nobody completed within a day: they may name machines and hold what was said to them."""
    forget_old()

"""Periodic work of the registry, run by the Celery worker."""

from celery import shared_task
from django.core.management import call_command


@shared_task(time_limit=3600)  # seconds: the whole log is read
def verify_log() -> None:
    """Recompute the publication log; a row that does not match fails the task and stands in the worker's log."""
    call_command("verify_log")

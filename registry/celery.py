"""The Celery application. Periodic work only: nothing a reader waits for goes through the broker."""

import os

from celery import Celery
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")

app = Celery("registry")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    # What is due stands in the database: a tick only wakes a worker, and one that found none in time is dropped.
    "look at links that are due": {
        "task": "sources.tasks.drain",
        "schedule": 15.0,
        "options": {"expires": 15},
    },
    "forget hosts that no link belongs to": {
        "task": "sources.tasks.forget_hosts",
        "schedule": crontab(hour=2, minute=41),
        "options": {"expires": 3600},
    },
    "forget result files that nobody completed": {
        "task": "registry.tasks.forget_uploads",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    # The log's promise is kept by looking: at night. A tick that found no worker in an hour is dropped.
    "verify the publication log": {
        "task": "registry.tasks.verify_log",
        "schedule": crontab(hour=3, minute=17),
        "options": {"expires": 3600},
    },
}

"""The Celery app: its settings come from Django's; beat is for housekeeping only, never for anything due."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("smazzata")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

"""The project as one of its own apps: what is registered with Django at start."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Registers the checks of a deployment, and the Celery app that every task is sent through."""

    name = "config"
    verbose_name = "Smazzata"

    def ready(self) -> None:
        from config import celery, checks  # noqa: F401 both register themselves

"""The app of tables; at start it tells the sweep what can be due at one."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("tavoli")

    def ready(self) -> None:
        from games import sweep

        sweep.register_tables()

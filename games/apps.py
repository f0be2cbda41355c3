"""The app of tables; at start the rulesets are put on offer and the sweep is told what can be due at a table."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("tavoli")

    def ready(self) -> None:
        from games import receivers, rules, sweep  # noqa: F401  importing the rules puts them on offer
        from games.lobby import actions, queries
        from games.services import seating
        from players.services import house

        sweep.register_tables()
        sweep.register(
            "free tables",
            queries.find_due,
            lambda table_id, now: actions.expire(table_id=table_id, now=now),
            sweep.Lane.UPKEEP,
        )
        house.register_busy(seating.find_seated_house_players)
        receivers.connect()

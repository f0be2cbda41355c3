"""The app of tables; at start the rulesets are put on offer and the sweep is told what can be due at a table."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("tavoli")

    def ready(self) -> None:
        from games import own_tables, receivers, rules, selectors, sweep, turn_calls  # noqa: F401  importing the rules puts them on offer
        from games.chips import queries as chip_queries
        from games.lobby import actions, queries, seeks
        from games.services import seating
        from games.training import queries as training_queries
        from games.training.actions import forget_training
        from games.training.own_records import read_training
        from players.models import PushMessage
        from players.services import house, open_tables, own_data, push_messages

        sweep.register_tables()
        sweep.register(
            "free tables",
            queries.find_due,
            lambda table_id, now: actions.expire(table_id=table_id, now=now),
            sweep.Lane.UPKEEP,
        )
        sweep.register(
            "training",
            training_queries.find_due,
            lambda match_id, now: forget_training(match_id=match_id, now=now),
            sweep.Lane.UPKEEP,
        )
        sweep.register("seeks", seeks.list_due_seeks, lambda _id, now: seeks.pair_lobby(now), sweep.Lane.LOBBY)
        own_data.register_part("chips", chip_queries.read_own_entries)
        own_data.register_part("training", read_training)
        open_tables.register_finder(selectors.find_awaited_table)
        house.register_busy(seating.find_seated_house_players)
        push_messages.register_check(PushMessage.Kind.TABLE, turn_calls.find_awaited_tables)
        push_messages.register_check(PushMessage.Kind.TURN, turn_calls.find_awaited_turns)
        receivers.connect()
        own_tables.register_parts()

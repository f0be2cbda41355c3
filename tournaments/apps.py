from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from games.lobby.actions import register_engaged
        from games.selectors import register_watch_policy
        from tournaments import receivers  # noqa: F401 (connects itself)
        from tournaments.core.visibility import may_watch
        from tournaments.entries.join import find_busy_house_players
        from tournaments.sweep import register_all

        register_watch_policy(may_watch)
        register_engaged(find_busy_house_players)
        register_all()

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from games.selectors import register_watch_policy
        from games.services.lobby import register_engaged
        from tournaments import receivers  # noqa: F401 (connects itself)
        from tournaments.selectors import may_watch
        from tournaments.services.entries import busy_house
        from tournaments.sweep import register_all

        register_watch_policy(may_watch)
        register_engaged(busy_house)
        register_all()

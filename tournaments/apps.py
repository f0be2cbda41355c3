from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from games.selectors import register_watch_policy
        from tournaments import receivers  # noqa: F401 (connects itself)
        from tournaments.selectors import may_watch
        from tournaments.sweep import register_all

        register_watch_policy(may_watch)
        register_all()

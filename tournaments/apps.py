from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from games.heartbeat import register_referee_policy
        from games.selectors import register_watch_policy
        from players.services.house import register_busy
        from tournaments import receivers  # noqa: F401 (connects itself)
        from tournaments.core.visibility import find_watching
        from tournaments.desk.queries import has_referee
        from tournaments.entries import house
        from tournaments.retention import register_steps
        from tournaments.sweep import register_all

        register_watch_policy(find_watching)
        register_referee_policy(lambda match: has_referee(match.public_id))
        register_busy(house.find_entered_house_players)
        register_busy(house.find_organising_house_players)
        register_all()
        register_steps()

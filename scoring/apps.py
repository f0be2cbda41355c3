from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from games.frames import register_points
        from scoring.selectors import worth_of

        register_points(worth_of)

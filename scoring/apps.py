from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from games.frames import register_worth
        from scoring.selectors import worth_of

        register_worth(worth_of)

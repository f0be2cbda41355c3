from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        from games.frames import register_points
        from scoring.match_points import compute_match_points

        register_points(compute_match_points)

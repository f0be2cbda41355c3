from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "records"

    def ready(self) -> None:
        from players.services import housekeeping, own_data
        from records import receivers
        from records.analysis import actions, own_analyses
        from records.problems.own_attempts import read_own_attempts

        receivers.connect()
        housekeeping.register_step("analyses of records", actions.forget_record_analyses)
        own_data.register_part("analyses", own_analyses.read_analyses)
        own_data.register_part("problems", read_own_attempts)

"""The form of training: a free table's, without what needs other people."""

from typing import Any

from games.lobby.forms import FreeTableForm


class TrainingForm(FreeTableForm):
    absence = None  # type: ignore[assignment]
    public = None  # type: ignore[assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("turn_timeout", "match_clock"):
            self.fields[name].initial = ""

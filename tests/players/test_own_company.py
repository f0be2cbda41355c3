"""Company in the export of one's own data: what one chose and what was decided, nothing that others chose."""

from datetime import datetime

import pytest

from players.models import Player, User
from players.services.blocks import block_player
from players.services.follows import follow_player
from players.services.marks import note_marks
from players.services.moderation import judge_player
from players.services.own_data import read_part
from tests.support.people import create_person

pytestmark = pytest.mark.django_db


@pytest.mark.rule("B6", "U2")
def test_the_export_has_friends_blocks_decisions_and_the_days_of_marks(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    moderator = create_person("Moreno", now)
    User.objects.filter(pk=moderator.user_id).update(is_staff=True)
    moderator.user.refresh_from_db()
    follow_player(player=anna, followed=carla, now=now)
    follow_player(player=bruno, followed=anna, now=now)
    block_player(player=anna, blocked=bruno, now=now)
    block_player(player=carla, blocked=anna, now=now)
    note_marks(player=anna, address="203.0.113.9", browser="a" * 32, now=now)
    judge_player(player=anna, by=moderator, kind="warn", reason="Calma", days=None, now=now)
    parts = {name: list(read_part(name, anna)) for name in ("follows", "blocks", "moderation", "marks")}
    assert [row["name"] for row in parts["follows"]] == ["Carla"]
    assert [row["name"] for row in parts["blocks"]] == ["Bruno"]
    assert [row["reason"] for row in parts["moderation"]] == ["Calma"]
    assert "Moreno" not in str(parts)
    assert sorted(row["kind"] for row in parts["marks"]) == ["address", "browser"]
    assert set(parts["marks"][0]) == {"kind", "day"}

"""Choice of whoever is shown what of one's page."""

from datetime import datetime

import pytest

from players.models import Follow, Player
from players.selectors import PARTS, find_shown, list_seen_parts, may_see, read_audience
from players.services.audience import BadAudience, choose_audience
from tests.support.people import take_house

pytestmark = pytest.mark.django_db


def test_who_has_chosen_nothing_shows_all_but_their_chips(anna: Player, bruno: Player) -> None:
    for reader in (None, bruno):
        assert {part for part in PARTS if not may_see(anna, reader, part)} == {"stakes"}
        assert list_seen_parts(anna, reader) == set(PARTS) - {"stakes"}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_shown_to_those_it_is_for_and_always_to_oneself(
    anna: Player, bruno: Player, part: str, now: datetime
) -> None:
    choose_audience(player=anna, readers={part: "nobody"})
    assert not may_see(anna, bruno, part)
    assert not may_see(anna, None, part)
    assert may_see(anna, anna, part)
    assert part not in list_seen_parts(anna, bruno)
    assert find_shown([anna, bruno], anna, part) == {anna.pk, bruno.pk} - ({bruno.pk} if part == "stakes" else set())
    choose_audience(player=anna, readers={part: "friends"})
    Follow.objects.create(player=bruno, followed=anna, at=now)
    assert not may_see(anna, bruno, part), "who follows is not who is followed"
    Follow.objects.create(player=anna, followed=bruno, at=now)
    assert may_see(anna, bruno, part)
    assert part in list_seen_parts(anna, bruno)
    assert not may_see(anna, None, part)
    choose_audience(player=anna, readers={part: "everybody"})
    assert may_see(anna, None, part)


def test_the_house_hides_nothing(now: datetime, anna: Player) -> None:
    [house] = take_house(count=1, now=now)
    assert list_seen_parts(house, None) == set(PARTS)
    assert all(may_see(house, anna, part) for part in PARTS)


def test_what_is_not_named_stays_and_what_is_unknown_is_refused(anna: Player) -> None:
    choose_audience(player=anna, readers={"levels": "nobody"}, indexed=True)
    choose_audience(player=anna, readers={"history": "friends"})
    audience = read_audience(anna)
    assert (audience.levels, audience.history, audience.indexed) == ("nobody", "friends", True)
    for readers, code in (({"hand": "nobody"}, "unknown_part"), ({"levels": "some"}, "unknown_readers")):
        with pytest.raises(BadAudience) as refusal:
            choose_audience(player=anna, readers=readers)
        assert refusal.value.code == code


def test_any_number_of_people_is_looked_up_in_as_many_queries(
    anna: Player, bruno: Player, carla: Player, dino: Player, django_assert_max_num_queries: object
) -> None:
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        assert len(find_shown([anna, bruno, carla], dino, "levels")) == 3

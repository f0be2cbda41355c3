"""House players: a pool that is made in bulk, is never larger than its cap, and whose free players are taken again.

``prepare_house_players`` sees to it that enough are free, in a short transaction of its own, before anybody holds the
lock of a tournament or a table; ``take_house_players`` then takes them in the caller's. Nobody waits for whoever is
taken by others: of two at once each gets others. What keeps a house player busy, apps say at start.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime
from itertools import count as count_up
from itertools import islice

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.db.models import Q

from players.caps import MAX_HOUSE_PLAYERS
from players.models import Person, Player, User, make_public_id
from players.names import make_look_key, make_name_key

HOUSE_NAMES = (
    "Zia Assunta", "Nonno Beppe", "Maestro Gino", "Zio Peppino", "Comare Rosa", "Don Calogero", "Nonna Pina",
    "Mastro Titta", "Zia Concetta", "Compare Turi", "Signora Elvira", "Zio Gaetano", "Nonna Ines", "Il Maresciallo",
    "Zia Carmela", "Barba Toni", "Sora Lella", "Nonno Vito", "Dottor Balanzone", "Zio Cesare", "Donna Filomena",
    "Nonna Adele", "Sor Augusto", "Zia Iolanda", "Maestra Olga", "Zio Ennio", "Nonno Arturo", "Zia Palmira",
    "Capitan Nino", "Sora Agnese", "Nonna Rosaria", "Zio Tano", "Mastro Ciccio", "Zia Marisa", "Il Farmacista",
    "Nonno Egidio", "Siora Bettina", "Zio Duilio", "Nonna Wanda", "Don Fefè", "Zia Ersilia", "Compare Alfio",
    "Nonno Libero", "La Postina", "Zio Amedeo", "Zia Teresina", "Mastro Geppo", "Nonna Bruna",
)  # fmt: skip
MAX_ATTEMPTS = 5  # while others take the same names, or the same players
CREATORS_LOCK = 0x5A2AF  # PostgreSQL's advisory lock of those who create house players

_busy: list[Callable[[], Iterable[int]]] = []


class HouseBusy(Exception):
    """Refusal: so many house players aren't free, and there may be no more of them."""

    code = "house_busy"


def register_busy(ids: Callable[[], Iterable[int]]) -> None:
    """Say which house players (ids) have something to do: at start, by apps that know more than a player does."""
    if ids not in _busy:
        _busy.append(ids)


def create_house_player(*, now: datetime, name: str | None = None) -> Player:
    """Create a player of the house, with a free name of the house's list; nobody can log in as it."""
    return _create([name] if name is not None else _choose_names(1), now)[0]


def prepare_house_players(*, count: int, now: datetime) -> None:
    """See to it that ``count`` house players are free, creating those that are missing. HouseBusy beyond the cap.

    Called before the transaction that takes them, so that nobody waits for a tournament while they are made.
    """
    with transaction.atomic():
        take_house_players(count=count, now=now)


def take_house_players(*, count: int, now: datetime) -> list[Player]:
    """Return ``count`` free house players, the oldest first, locked until the transaction ends: by then they are busy.

    Those that are missing, because others took them since they were made ready, are created. HouseBusy beyond the cap.
    """
    taken = _lock_free(count)
    missing = count - len(taken)
    if missing <= 0:
        return taken
    for _attempt in range(MAX_ATTEMPTS):
        try:
            with transaction.atomic():
                _wait_for_other_creators()
                if Player.objects.filter(kind=Player.Kind.HOUSE).count() + missing > MAX_HOUSE_PLAYERS:
                    raise HouseBusy
                return taken + _create(_choose_names(missing), now)
        except IntegrityError:  # somebody signed up with one of these names this very moment
            continue
    raise HouseBusy


def _lock_free(count: int) -> list[Player]:
    """Lock up to ``count`` house players who are free and whom nobody else is taking."""
    free: dict[int, Player] = {}
    for _attempt in range(MAX_ATTEMPTS):
        busy = find_busy_house_players()
        candidates = Player.objects.filter(kind=Player.Kind.HOUSE, user__is_active=True).select_related("person")
        unknown = candidates.exclude(pk__in=busy | set(free)).order_by("pk")
        locked = unknown.select_for_update(of=("self",), no_key=True, skip_locked=True)[: count - len(free)]
        read = {player.pk: player for player in locked}
        if read:
            # Whoever had them until now has committed: only a new statement sees what they are busy with since.
            busy = find_busy_house_players()
            free |= {pk: player for pk, player in read.items() if pk not in busy}
        if not read or len(free) == count:
            break
    return list(free.values())


def _wait_for_other_creators() -> None:
    """Take the turn to create house players until the transaction ends: two at once would choose the same names."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CREATORS_LOCK])


def find_busy_house_players() -> set[int]:
    """Return the ids of the house players who have something to do."""
    return {player_id for ids in _busy for player_id in ids()}


def _create(names: Collection[str], now: datetime) -> list[Player]:
    """Create players of these names, in as many statements however many they are."""
    house = Player.Kind.HOUSE
    public_ids = [make_public_id() for _ in names]
    with transaction.atomic():
        # A colon can't be typed in a name: nobody logs in as this.
        users = [
            User(username=f"{house}:{public_id}", password=make_password(None), date_joined=now)
            for public_id in public_ids
        ]
        players = [
            Player(user=user, public_id=public_id, name=name, kind=house, created_at=now)
            for user, public_id, name in zip(User.objects.bulk_create(users), public_ids, names, strict=True)
        ]
        for player in players:
            player.set_keys()
        Person.objects.bulk_create([Person(player=player) for player in Player.objects.bulk_create(players)])
    return players


def _choose_names(count: int) -> list[str]:
    """Return the first ``count`` names of the house that nobody has, nor one like them."""
    own = Player.objects.filter(kind=Player.Kind.HOUSE)
    used = set(own.values_list("name_key", flat=True))
    names = (name for name in _list_names() if make_name_key(name) not in used)
    chosen: list[str] = []
    while len(chosen) < count:
        batch = list(islice(names, count - len(chosen)))
        keys, looks = {make_name_key(name) for name in batch}, {make_look_key(name) for name in batch}
        others = Player.objects.filter(Q(name_key__in=keys) | Q(look_key__in=looks))
        taken = {key for pair in others.values_list("name_key", "look_key") for key in pair}
        chosen += [name for name in batch if not {make_name_key(name), make_look_key(name)} & taken]
    return chosen


def _list_names() -> Iterator[str]:
    """List all names of the house: the plain ones, then each with a 2 behind it, and so on."""
    for turn in count_up(1):
        yield from (name if turn == 1 else f"{name} {turn}" for name in HOUSE_NAMES)

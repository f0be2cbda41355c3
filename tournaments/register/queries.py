"""Reads of registers (I1): who keeps one, its cards, their tournaments. They never write."""

from django.db.models import QuerySet

from players.models import Player
from players.names import make_name_key
from tournaments.core.permissions import RUNS
from tournaments.models import Club, ClubMember, Register, RegisterCard, RegisterLogEntry, Tournament

OWN = "mio"  # in the address, where a club has its public id: the reader's own register
PROPOSAL_LETTERS, MAX_PROPOSALS = 3, 12
MAX_LOG = 200


def find_register(key: str, player: Player) -> Register | None:
    """Return the register of that address, not stored yet where nobody has written in it; None for whoever doesn't keep
    it."""
    if key == OWN:
        mine = player.kind == Player.Kind.MEMBER
        return (Register.objects.filter(organiser=player).first() or Register(organiser=player)) if mine else None
    club = Club.objects.filter(public_id=key).first()
    if club is None:
        return None
    register = Register.objects.filter(club=club).select_related("club").first() or Register(club=club)
    return register if keeps_register(register, player) else None


def keeps_register(register: Register, player: Player) -> bool:
    """Tell if the player may read and write it: its organiser, or who organises for its club."""
    if register.club_id is None:
        return register.organiser_id == player.pk
    return ClubMember.objects.filter(club=register.club_id, player=player, confirmed=True, role__in=RUNS).exists()


def get_key(register: Register) -> str:
    """Return the register's word in addresses, as its keepers see them."""
    return OWN if register.club is None else register.club.public_id


def list_cards(register: Register, search: str = "") -> QuerySet[RegisterCard]:
    """Return its cards by name, those alone whose name or number has ``search`` in it, if given."""
    cards = RegisterCard.objects.filter(register_id=register.pk).present().with_people().order_by("name_key", "pk")
    return cards.named_like(search) if search else cards


def propose_cards(register: Register, typed: str) -> list[RegisterCard]:
    """Return the first cards with what was typed in their name or number; of what is shorter than three characters
    those alone whose whole name it is."""
    if len(typed) >= PROPOSAL_LETTERS:
        return list(list_cards(register, typed)[:MAX_PROPOSALS])
    key = make_name_key(typed)
    return list(list_cards(register).filter(name_key=key)[:MAX_PROPOSALS]) if key else []


def count_namesakes(register: Register, name_key: str, but: RegisterCard | None = None) -> int:
    """Return how many other cards have this name."""
    others = RegisterCard.objects.filter(register_id=register.pk, name_key=name_key).present()
    return (others if but is None else others.exclude(pk=but.pk)).count()


def list_person_ids(card: RegisterCard) -> list[int]:
    """Return the card's person, those of its doubles, and of theirs."""
    people, cards = [card.person_id], [card.pk]
    while cards:
        doubles = list(RegisterCard.objects.filter(merged_into__in=cards).values_list("pk", "person_id"))
        cards = [pk for pk, _person in doubles]
        people += [person for _pk, person in doubles]
    return people


def list_tournaments(card: RegisterCard) -> QuerySet[Tournament]:
    """Return the tournaments in which the card's person or a double of theirs is entered, the newest first."""
    people = list_person_ids(card)
    return Tournament.objects.filter(members__person__in=people).distinct().order_by("-created_at")


def read_log(register: Register) -> list[RegisterLogEntry]:
    """Return what was done last in the register, the newest first."""
    rows = RegisterLogEntry.objects.filter(register_id=register.pk).select_related(
        "player", "card__person", "double__person"
    )
    return list(rows[:MAX_LOG])


def count_cards(register: Register) -> int:
    """Return the number of people in it."""
    return RegisterCard.objects.filter(register_id=register.pk).present().count()

"""People who are one in a club's own rankings: by card and by claim, never by spelling. It links nothing itself."""

from collections.abc import Collection

from tournaments.models import NameClaim, RegisterCard

Played = tuple[int, int]  # a tournament and a person


def find_same_people(played: Collection[Played], club_id: int) -> dict[Played, int]:
    """Return the person that somebody who played counts as, where it is another one: the card into which theirs was
    merged (I1), or the account whose claim to their name stands (O2)."""
    people = {person for _tournament, person in played}
    merged = dict(
        RegisterCard.objects.filter(register__club=club_id, merged_into__isnull=False).values_list(
            "person_id", "merged_into__person_id"
        )
    )
    claims = NameClaim.objects.standing().filter(tournament__club=club_id, player__person__isnull=False)
    claimants = {
        (tournament, person): account
        for tournament, person, account in claims.values_list("tournament_id", "person_id", "player__person__id")
        if person in people
    }
    same: dict[Played, int] = {}
    for at in played:
        person = claimants.get(at) or _follow(at[1], merged)
        if person != at[1]:
            same[at] = person
    return same


def _follow(person: int, merged: dict[int, int]) -> int:
    """Return the person of the card that stands, however many were merged on the way."""
    seen = {person}
    while (following := merged.get(person)) is not None and following not in seen:
        seen.add(following)
        person = following
    return person

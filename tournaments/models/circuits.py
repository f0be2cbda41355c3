"""Points of finished tournaments added up: rankings that are stored, and circuits."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Person, Player, make_public_id
from tournaments.models.people import Club
from tournaments.models.tournament import Entry, Tournament


class TournamentPoints(models.Model):
    """Rank and points of a person in a finished tournament, by the entry they played for (Y2).

    Stored twice: among all entries of people, for the club, and among those that count on the site (Y1). Equal to what
    recomputing gives (Y4).
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="points", db_index=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="points", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="tournament_points")
    rank = models.PositiveSmallIntegerField()
    field = models.PositiveSmallIntegerField()  # N: entries of people that played and weren't annulled
    points = models.PositiveSmallIntegerField(null=True, blank=True)  # null: too few entries, or fixtures of a team
    site_rank = models.PositiveSmallIntegerField(null=True, blank=True)  # null: its entry doesn't count on the site
    site_field = models.PositiveSmallIntegerField(null=True, blank=True)
    site_points = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "tournament points"
        constraints = [models.UniqueConstraint(fields=["tournament", "entry", "person"], name="tournament_points_once")]
        indexes = [models.Index(fields=["entry"], name="tournament_points_entry")]


class Ranking(models.Model):
    """A stored ranking, of the site or of a club's own, for a game and form (Y1).

    Its rows are those of its ``generation``: a new one is written beside it, and then takes its place at once.
    """

    class Form(models.TextChoices):
        ALONE = "alone", _("da soli")
        PAIRS = "pairs", _("a coppie")

    class Kind(models.TextChoices):
        """Measure that a ranking goes by."""

        YEAR = "year", _("punti dell'anno")
        EVER = "ever", _("punti di sempre")
        LEVEL = "level", _("livelli")

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="rankings")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=Form.choices)
    kind = models.CharField(max_length=5, choices=Kind.choices)
    year = models.PositiveSmallIntegerField(default=0)  # Europe/Rome's; 0: of all time, or of levels
    generation = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField(null=True, blank=True)
    made_from = models.CharField(max_length=64, blank=True)  # of levels: by which a change is known
    busy_since = models.DateTimeField(null=True, blank=True)  # while somebody makes it anew

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ruleset", "form", "kind", "year"], condition=Q(club__isnull=True), name="site_ranking_once"
            ),
            models.UniqueConstraint(
                fields=["club", "ruleset", "form", "kind", "year"],
                condition=Q(club__isnull=False),
                name="club_ranking_once",
            ),
        ]


class RankingRow(models.Model):
    """Row of a ranking: a person, with the rank that equals share, and the place at which they are listed."""

    ranking = models.ForeignKey(Ranking, on_delete=models.CASCADE, related_name="rows", db_index=False)
    generation = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="ranking_rows")
    name_key = models.CharField(max_length=128)  # by which it is searched
    value = models.IntegerField()  # points, or the level as it is shown
    tournaments = models.PositiveIntegerField(default=0)  # in which the points were won
    uncertain = models.BooleanField(default=False)  # of a level (L5)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ranking", "generation", "place"], name="ranking_place_once")]
        indexes = [
            models.Index(
                fields=["ranking", "generation", "name_key"],
                opclasses=["int8_ops", "int4_ops", "varchar_pattern_ops"],  # names that begin with some letters
                name="ranking_name",
            )
        ]


class RankingChange(models.Model):
    """Note that points of a game and form have changed: gone once the rankings follow them (Y1)."""

    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    ruleset = models.CharField(max_length=32)
    form = models.CharField(max_length=5, choices=Ranking.Form.choices)
    year = models.PositiveSmallIntegerField()
    at = models.DateTimeField()


class Circuit(models.Model):
    """Tournaments whose results are added up, of a club or of an organiser without one (Y3).

    Its terms stand from the draw of the first of its tournaments on. Its totals are stored, and equal what recomputing
    gives (Y4).
    """

    class Table(models.TextChoices):
        """The way in which a tournament's result becomes points."""

        POINTS = "points", _("punti dei tornei: contano il posto e quanti giocano")
        PLACES = "places", _("punti per i primi posti e per chi partecipa")
        VP = "vp", _("VP del torneo")
        MP = "mp", _("MP del torneo")

    public_id = models.CharField(max_length=12, unique=True, default=make_public_id, editable=False)
    name = models.CharField(_("nome"), max_length=80)
    description = models.TextField(blank=True)  # Markdown
    organiser = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="circuits")
    club = models.ForeignKey(Club, null=True, blank=True, on_delete=models.SET_NULL, related_name="circuits")
    table = models.CharField(max_length=6, choices=Table.choices, default=Table.POINTS)
    places = models.JSONField(default=list, blank=True)  # the points of place 1, 2 and so on (PLACES)
    taking_part = models.PositiveSmallIntegerField(default=0)  # the points of every later place (PLACES)
    best_of = models.PositiveSmallIntegerField(null=True, blank=True)  # how many results count; null: all
    by_pairs = models.BooleanField(default=False)  # a row is a pair that stays together, not a person
    series = models.ForeignKey("Series", null=True, blank=True, on_delete=models.SET_NULL, related_name="circuits")
    final = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="final_of"
    )  # a tournament of its own, with seeds by the ranks here; it counts for no total
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)  # null: it goes on
    due_at = models.DateTimeField(null=True, blank=True)  # since when its totals wait to be counted again

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="circuit_due"),
            models.Index(fields=["club", "created_at"], name="circuit_of_club"),
        ]

    def __str__(self) -> str:
        return self.name


class CircuitTournament(models.Model):
    """A tournament that counts in a circuit, chosen or opened by the circuit's series (Y3).

    ``results``: what each of its people or pairs got, as ``circuits.stage_results`` writes it; read again if ``stale``.
    """

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="stages", db_index=False)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="circuit_stages")
    added_at = models.DateTimeField()
    results = models.JSONField(default=list)
    stale = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["circuit", "tournament"], name="circuit_tournament_once")]


class CircuitLink(models.Model):
    """The organiser's word that two names of a circuit are one person (Y3): equal names alone never are."""

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="links", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="circuit_links")
    same_as = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["circuit", "person"], name="circuit_link_once")]


class CircuitTotal(models.Model):
    """A row of a circuit: a person, or a pair, with the results that make the total and the rank (Y3).

    ``results``: in the tournaments' order, as ``circuits.totals`` writes them. ``separation``: the values of a
    ``scoring.circuit_totals.TotalReason``.
    """

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="totals", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="circuit_totals")
    partner = models.ForeignKey(Person, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()
    total = models.IntegerField()
    results = models.JSONField(default=list)
    separation = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["rank", "pk"]
        indexes = [models.Index(fields=["circuit", "rank"], name="circuit_rank")]

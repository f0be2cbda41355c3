"""Statements with kept columns are Django's own, whatever is selected, and so are their rows."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Count, Exists, F, Model, OuterRef, QuerySet, Subquery

from players.databases.compiler import ROWS, KeptColumns
from players.models import Player
from tests.support.people import create_person
from tests.support.real_tables import draw_real
from tests.support.tournaments import Opened
from tournaments.models import Entry, Fixture, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
NAMES = [field.attname for field in Entry._meta.concrete_fields]
OWN = [model for model in apps.get_models() if model.__module__.split(".")[0] in {"players", "games", "tournaments"}]


def write_plainly(queryset: QuerySet[Any]) -> tuple[str, Any]:
    """Return the statement and parameters that Django's own compiler writes."""
    ours = queryset.query.get_compiler(connection=connection)
    assert isinstance(ours, KeptColumns)
    plain = next(kind for kind in type(ours).__mro__ if kind.__module__.startswith("django."))
    written: tuple[str, Any] = plain(queryset.query.clone(), connection, None).as_sql()
    return written


def write(queryset: QuerySet[Any]) -> tuple[str, Any]:
    written: tuple[str, Any] = queryset.query.clone().get_compiler(connection=connection).as_sql()
    return written


@pytest.mark.parametrize("model", OWN, ids=lambda model: model._meta.label)
def test_rows_of_every_model_are_asked_for_as_django_does(model: type[Model]) -> None:
    rows = model._default_manager.all()
    names = [field.attname for field in model._meta.concrete_fields]
    for queryset in (rows, rows.order_by(*names), rows.order_by(F(names[-1]).desc()).reverse(), rows[:3]):
        assert write(queryset) == write_plainly(queryset), "the first time"
        assert write(queryset) == write_plainly(queryset), "and from what is kept"


ASKED: dict[str, Callable[[], QuerySet[Any]]] = {
    "related": lambda: Fixture.objects.select_related("round__tournament", "first").order_by("round__number"),
    "two of one kind": lambda: Fixture.objects.select_related("first", "second"),
    "joined by a filter": lambda: Fixture.objects.filter(second__confirmed=True).select_related("first", "second"),
    "joined by another": lambda: Fixture.objects.filter(first__tournament__name="x").select_related("first", "second"),
    "all relations": lambda: Fixture.objects.select_related(),
    "only": lambda: Tournament.objects.only("name"),
    "deferred": lambda: Tournament.objects.defer("name"),
    "values": lambda: Entry.objects.values("tournament__name", "pk").order_by("pk"),
    "annotated": lambda: Tournament.objects.annotate(many=Count("entries")).order_by("-many", "pk"),
    "distinct": lambda: Tournament.objects.filter(entries__pk__gt=0).distinct(),
    "to itself": lambda: Entry.objects.filter(tournament__entries__pk__gt=F("pk")).select_related("tournament"),
    "inside": lambda: Tournament.objects.filter(Exists(Entry.objects.filter(tournament=OuterRef("pk")))),
    "subquery": lambda: Tournament.objects.annotate(
        first=Subquery(Entry.objects.filter(tournament=OuterRef("pk")).order_by("pk").values("pk")[:1])
    ),
    "together": lambda: Tournament.objects.filter(pk=1).union(Tournament.objects.filter(pk=2)).order_by("name"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_selects_more_or_less_is_asked_for_as_django_does(name: str) -> None:
    for model in (Tournament, Entry, Fixture):
        list(model._default_manager.all())  # whose columns are kept now
    list(Fixture.objects.select_related("first", "second"))
    for _again in range(2):
        assert write(ASKED[name]()) == write_plainly(ASKED[name]())


@pytest.mark.parametrize("filters", [{}, {"second__confirmed": True}, {"first__tournament__name__gt": ""}], ids=str)
def test_rows_that_come_with_others_have_their_values(opened: Opened, now: datetime, filters: dict[str, Any]) -> None:
    tournament = draw_real(opened, 4, now)
    plain = {entry.pk: entry for entry in tournament.entries.all()}
    for fixture in Fixture.objects.filter(round__tournament=tournament, **filters).select_related("first", "second"):
        for side, pk in ((fixture.first, fixture.first_id), (fixture.second, fixture.second_id)):
            assert side is not None
            assert pk is not None
            assert {name: getattr(side, name) for name in NAMES} == {name: getattr(plain[pk], name) for name in NAMES}


def test_rows_have_their_values_whoever_asked_before(now: datetime) -> None:
    player = create_person("Anna", now)
    read = [Player.objects.get(pk=player.pk) for _ in range(2)]
    assert (connection.vendor, (Player, False)) in ROWS
    for field in Player._meta.concrete_fields:
        plain = Player.objects.values_list(field.attname, flat=True).get(pk=player.pk)
        assert [getattr(one, field.attname) for one in read] == [plain, plain]
    user = get_user_model().objects.select_related("player").get(player=player)
    assert user.player == player

"""Rounds that can't be paired (D1): the first of them, and the organiser's choice.

A danese whose organiser published its rounds ended by itself before such a round until now: what is over stays so.
"""

from django.db import migrations, models


def end_what_is_over(apps, schema_editor):
    Round = apps.get_model("tournaments", "Round")
    over = {"tournament__format": "danese", "tournament__state": "finished", "tournament__publishes_rounds": True}
    undrawn = Round.objects.filter(**over, published_at__isnull=True).order_by("tournament", "number")
    first = {}
    for pk, tournament in undrawn.values_list("pk", "tournament"):
        first.setdefault(tournament, pk)
    Round.objects.filter(pk__in=first.values()).update(way="end")


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0005_team_invitations"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="way",
            field=models.CharField(
                blank=True,
                choices=[("bye", "un secondo riposo"), ("rematch", "una rivincita"), ("end", "il torneo finisce")],
                db_default="",
                default="",
                max_length=7,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="stuck_round",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(end_what_is_over, migrations.RunPython.noop),
    ]

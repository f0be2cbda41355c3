import django.db.models.deletion
from django.db import migrations, models

import players.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0003_calls"),
        ("players", "0002_people"),
    ]

    operations = [
        migrations.CreateModel(
            name="FreeTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "public_id",
                    models.CharField(default=players.models.new_public_id, editable=False, max_length=12, unique=True),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("open", "aspetta giocatori"), ("started", "cominciato"), ("closed", "chiuso")],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("length_kind", models.CharField(max_length=6)),
                ("length_value", models.PositiveSmallIntegerField()),
                ("options", models.JSONField(blank=True, default=dict)),
                ("turn_timeout", models.PositiveIntegerField(blank=True, null=True)),
                ("match_clock", models.PositiveIntegerField(blank=True, null=True)),
                ("public", models.BooleanField(default=True)),
                ("opened_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                (
                    "match",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="free_table",
                        to="games.match",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["due_at"], name="free_table_due")]},
        ),
        migrations.CreateModel(
            name="FreeSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("sat_at", models.DateTimeField()),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="free_seat", to="players.player"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.freetable"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("table", "number"), name="free_seat_once")],
            },
        ),
    ]

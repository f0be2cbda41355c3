"""What people prefer, what is mailed to them, names that look alike, and the table of the cache."""

import django.db.models.deletion
from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models

from players.names import look_key


def fill_look_keys(apps, schema_editor):
    Player = apps.get_model("players", "Player")
    for player in Player.objects.only("pk", "name").iterator():
        Player.objects.filter(pk=player.pk).update(look_key=look_key(player.name))


def create_cache_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    # Changing a table and then its rows in one transaction is refused by PostgreSQL.
    atomic = False

    dependencies = [
        ("players", "0001_initial"),
    ]

    operations = [
        migrations.AddField("user", "language", models.CharField(blank=True, default="", max_length=8, verbose_name="lingua"), preserve_default=False),
        migrations.AddField("user", "time_zone", models.CharField(blank=True, default="", max_length=64, verbose_name="fuso orario"), preserve_default=False),
        migrations.AddField("user", "sound", models.BooleanField(default=True, verbose_name="suono")),
        migrations.AddField("user", "banner", models.BooleanField(default=True, verbose_name="avviso in cima alle pagine")),
        migrations.AddField("user", "mail_tables", models.BooleanField(default=False, verbose_name="e-mail quando si apre un tavolo")),
        migrations.AddField("user", "mail_tournaments", models.BooleanField(default=False, verbose_name="e-mail sui tornei")),
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.EmailField(blank=True, max_length=254)),
                ("kind", models.CharField(max_length=12)),
                ("key", models.CharField(max_length=80)),
                ("values", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("user", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="mails", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("due_at__isnull", False)), fields=["due_at"], name="mail_due")],
                "constraints": [models.UniqueConstraint(fields=("user", "kind", "key"), name="mail_once")],
            },
        ),
        migrations.AddField("player", "look_key", models.CharField(editable=False, max_length=48, null=True)),
        migrations.RunPython(fill_look_keys, migrations.RunPython.noop),
        migrations.AlterField("player", "look_key", models.CharField(editable=False, max_length=48, unique=True)),
        migrations.RunPython(create_cache_table, migrations.RunPython.noop),
    ]

from django.db import migrations, models


def stake_of_old_matches(apps, schema_editor):
    """Until now a match was worth one stake to its winner."""
    matches = apps.get_model("games", "Match").objects
    matches.filter(winner=0).update(stakes_0=1)
    matches.filter(winner=1).update(stakes_1=1)


class Migration(migrations.Migration):
    # Changing a table and then its rows in one transaction is refused by PostgreSQL.
    atomic = False

    dependencies = [
        ("games", "0002_chat"),
    ]

    operations = [
        migrations.AddField("match", "by_hand", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("match", "opening_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("match", "stakes_0", models.PositiveSmallIntegerField(default=0)),
        migrations.AddField("match", "stakes_1", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(stake_of_old_matches, migrations.RunPython.noop),
    ]

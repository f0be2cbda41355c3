"""Keep the reading of tie-breaks by which a tournament was drawn (R2, E6).

*standard* and *club* have asked the direct encounter again in each smaller group since the version that brought
migration 0006. What was drawn before it was updated keeps asking once, under a code of its own; unless its standings
were made anew since, which says that people have seen them so: a reason that tells what was asked before is of then.
"""

from django.db import migrations
from django.db.migrations.recorder import MigrationRecorder

EARLIER = {"standard": "standard-1", "club": "club-1"}


def keep_earlier_readings(apps, schema_editor):
    Tournament = apps.get_model("tournaments", "Tournament")
    Entry = apps.get_model("tournaments", "Entry")
    alias = schema_editor.connection.alias
    applied = MigrationRecorder(schema_editor.connection).migration_qs
    updated = applied.filter(app="tournaments", name="0006_rounds_stuck").values_list("applied", flat=True).first()
    if updated is None:
        return
    drawn = Tournament.objects.using(alias).filter(drawn_at__lt=updated, tie_break__in=EARLIER)
    drawn = drawn.exclude(format="ko")  # whose places no tie-break gives
    for tournament in drawn.only("pk", "tie_break").iterator():
        reasons = Entry.objects.using(alias).filter(tournament=tournament.pk, separation__isnull=False)
        if not any("before" in reason for reason in reasons.values_list("separation", flat=True)):
            tournament.tie_break = EARLIER[tournament.tie_break]
            tournament.save(update_fields=["tie_break"])


def read_as_today(apps, schema_editor):
    rows = apps.get_model("tournaments", "Tournament").objects.using(schema_editor.connection.alias)
    for code, earlier in EARLIER.items():
        rows.filter(tie_break=earlier).update(tie_break=code)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0010_tie_break_orders"),
    ]

    operations = [
        migrations.RunPython(keep_earlier_readings, read_as_today, elidable=True),
    ]

"""Wrong codes counted by the side that types them (O4): one shuts out no other."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0006_rounds_stuck"),
    ]

    operations = [
        migrations.RenameField(model_name="scoreslip", old_name="wrong", new_name="wrong_0"),
        migrations.AddField(
            model_name="scoreslip",
            name="wrong_1",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]

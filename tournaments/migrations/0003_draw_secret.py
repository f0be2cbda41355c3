from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_house_strength"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="draw_commitment",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="tournament",
            name="draws",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]

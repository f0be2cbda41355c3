from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0007_lease"),
    ]

    operations = [
        migrations.AlterField(
            model_name="commitment",
            name="reason",
            field=models.CharField(
                blank=True,
                choices=[
                    ("played", "partita finita"),
                    ("stopped", "partita fermata"),
                    ("never_dealt", "carte mai date"),
                    ("lost", "perso con la chiave"),
                    ("drawn", "sorteggio fatto"),
                    ("cancelled", "torneo annullato"),
                    ("elsewhere", "sorteggiato su un altro sito"),
                ],
                max_length=11,
            ),
        ),
    ]

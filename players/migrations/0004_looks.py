from django.db import migrations, models

DECKS = [("napoletane", "Napoletane"), ("piacentine", "Piacentine"), ("francesi", "Francesi")]
THEMES = [("auto", "Come dice il dispositivo"), ("light", "Chiaro"), ("dark", "Scuro")]


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0003_calls"),
    ]

    operations = [
        migrations.AddField("user", "deck", models.CharField(choices=DECKS, default="napoletane", max_length=12, verbose_name="mazzo")),
        migrations.AddField("user", "indices", models.BooleanField(default=True, verbose_name="indici negli angoli delle carte")),
        migrations.AddField("user", "one_click", models.BooleanField(default=False, verbose_name="si gioca con un solo clic")),
        migrations.AddField("user", "table_sound", models.BooleanField(default=False, verbose_name="suoni al tavolo")),
        migrations.AddField("user", "theme", models.CharField(choices=THEMES, default="auto", max_length=8, verbose_name="colori")),
    ]

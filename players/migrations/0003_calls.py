from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0002_people"),
    ]

    operations = [
        migrations.AddField("user", "auto_out", models.BooleanField(default=True, verbose_name="chiamata fuori automatica")),
        migrations.AddField("user", "auto_accuso", models.BooleanField(default=True, verbose_name="accuso automatico")),
        migrations.AddField("user", "auto_declare", models.BooleanField(default=True, verbose_name="dichiarazione «Ho» automatica")),
    ]

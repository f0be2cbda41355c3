import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0007_round_hours'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='round',
            name='round_once',
        ),
        migrations.RemoveField(
            model_name='round',
            name='stage',
        ),
        migrations.DeleteModel(
            name='Stage',
        ),
        migrations.AddField(
            model_name='round',
            name='tournament',
            field=models.ForeignKey(default=0, on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournaments.tournament'),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('tournament', 'number'), name='round_once'),
        ),
    ]

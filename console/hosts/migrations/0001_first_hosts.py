"""What hosts share, and what their parts report."""

import console.core.frozen
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='PartReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.CharField(max_length=255)),
                ('part', models.CharField(max_length=10)),
                ('state', models.JSONField(default=dict)),
                ('problems', models.JSONField(default=list)),
                ('clock_ahead', models.FloatField(default=0)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('host', 'part'), name='a_part_reports_in_one_row')],
            },
        ),
        migrations.CreateModel(
            name='SharedValue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('setting', models.CharField(max_length=30)),
                ('number', models.PositiveIntegerField()),
                ('value', models.CharField(max_length=64)),
                ('added_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('setting', 'number'), name='a_value_is_shared_once'), console.core.frozen.NeverChanges(name='shared_values_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
    ]

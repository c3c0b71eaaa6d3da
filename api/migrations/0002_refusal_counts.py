"""Counts of refused calls, whose oldest days the site deletes."""

import django.db.models.deletion
from django.db import migrations, models

GRANT = """
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    GRANT DELETE ON public.api_refusalcount TO site;
  END IF;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_recorded_people'),
        ('api', '0001_initial'),
        ('core', '0002_fewer_privileges'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='RefusalCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('day', models.DateField()),
                ('operation', models.CharField(blank=True, max_length=60)),
                ('code', models.CharField(max_length=40)),
                ('calls', models.BigIntegerField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'environment', 'day', 'operation', 'code'), name='one_count_of_a_code_and_a_day')],
            },
        ),
        migrations.RunSQL(GRANT, migrations.RunSQL.noop),
    ]

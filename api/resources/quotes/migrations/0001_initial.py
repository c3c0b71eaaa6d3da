"""Quotes."""

import api.resources.columns
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Quote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('quo',), **{}), max_length=40, unique=True)),
                ('from_currency', models.CharField(max_length=10)),
                ('from_amount', api.resources.columns.MinorUnits(of='from_currency')),
                ('to_currency', models.CharField(max_length=10)),
                ('to_amount', api.resources.columns.MinorUnits(of='to_currency')),
                ('rate', models.CharField(max_length=30)),
                ('dollar_amount', models.BigIntegerField()),
                ('dollar_rate', models.CharField(max_length=30)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='quote_environment_is_known'), models.CheckConstraint(condition=models.Q(('from_amount__gt', 0), ('to_amount__gt', 0)), name='a_quote_is_of_something'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['from_amount', 'to_amount', 'rate', 'expires_at', 'used_at'], name='a_quote_binds_and_is_used_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
    ]

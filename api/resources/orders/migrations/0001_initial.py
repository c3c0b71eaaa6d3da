"""Orders."""

import api.resources.columns
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
import secrets
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ord',), **{}), max_length=40, unique=True)),
                ('token', models.CharField(default=functools.partial(secrets.token_urlsafe, *(24,), **{}), max_length=40, unique=True)),
                ('reference', models.CharField(max_length=140)),
                ('amount', api.resources.columns.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('description', models.CharField(blank=True, max_length=500)),
                ('customer', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='order_environment_is_known'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='an_order_asks_for_something'), console.core.frozen.NeverChanges(name='orders_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
    ]

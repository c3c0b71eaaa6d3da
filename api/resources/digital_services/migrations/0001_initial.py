"""Orders of digital services."""

import api.resources.columns
import console.core.ids
import console.core.moves
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
            name='ServiceOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.resources.columns.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('dso',), **{}), max_length=40, unique=True)),
                ('service_id', models.CharField(max_length=40)),
                ('recipient', models.CharField(max_length=30)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='service_orders_that_wait')],
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='service_order_status_is_known'), models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_service_order_moves_something'), console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='service_order_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)')],
            },
        ),
    ]

"""Savings and their movements."""

import api.resources.columns
import console.core.ids
import console.core.moves
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Savings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('sav',), **{}), max_length=40, unique=True)),
                ('name', models.CharField(max_length=140)),
                ('currency', models.CharField(max_length=10)),
                ('balance', api.resources.columns.MinorUnits(default=0, of='currency')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='SavingsMovement',
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
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('svm',), **{}), max_length=40, unique=True)),
                ('direction', models.CharField(choices=[('deposit', 'Deposit'), ('withdrawal', 'Withdrawal')], max_length=10)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('savings', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='savings.savings', to_field='public_id')),
            ],
        ),
        migrations.AddIndex(
            model_name='savings',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='savings_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='savings',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='savings_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='savings',
            constraint=models.CheckConstraint(condition=models.Q(('balance__gte', 0)), name='savings_are_never_negative'),
        ),
        migrations.AddIndex(
            model_name='savingsmovement',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='savings_moves_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='savingsmovement',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='savings_moves_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='savingsmovement',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='savings_move_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='savingsmovement',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_savings_move_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='savingsmovement',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='savings_move_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='savingsmovement',
            constraint=models.CheckConstraint(condition=models.Q(('direction__in', ['deposit', 'withdrawal'])), name='savings_move_goes_in_or_out'),
        ),
    ]

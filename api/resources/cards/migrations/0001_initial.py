"""Cardholders, cards and what is paid with them."""

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
            name='Cardholder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('chd',), **{}), max_length=40, unique=True)),
                ('first_name', models.CharField(max_length=70)),
                ('last_name', models.CharField(max_length=70)),
                ('date_of_birth', models.DateField()),
                ('country', models.CharField(max_length=2)),
                ('address', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='Card',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('crd',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('active', 'Active'), ('inactive', 'Inactive'), ('frozen', 'Frozen'), ('terminated', 'Terminated')], default='active', max_length=10)),
                ('card_type', models.CharField(choices=[('virtual', 'Virtual'), ('physical', 'Physical')], max_length=10)),
                ('currency', models.CharField(max_length=10)),
                ('label', models.CharField(blank=True, max_length=140)),
                ('last4', models.CharField(max_length=4)),
                ('expiry_month', models.PositiveSmallIntegerField()),
                ('expiry_year', models.PositiveSmallIntegerField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('cardholder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='cards.cardholder', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='CardTransaction',
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
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ctx',), **{}), max_length=40, unique=True)),
                ('merchant_name', models.CharField(max_length=140)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('card', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='cards.card', to_field='public_id')),
            ],
        ),
        migrations.AddIndex(
            model_name='cardholder',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='cardholders_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='cardholder',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='cardholder_environment_is_known'),
        ),
        migrations.AddIndex(
            model_name='card',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='cards_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='card_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.CheckConstraint(condition=models.Q(('card_type__in', ['virtual', 'physical']), ('status__in', ['active', 'inactive', 'frozen', 'terminated'])), name='card_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=models.CheckConstraint(condition=models.Q(('expiry_month__range', (1, 12)), ('last4__regex', '^[0-9]{4}$')), name='a_card_shows_four_digits'),
        ),
        migrations.AddConstraint(
            model_name='card',
            constraint=console.core.moves.MovesConstraint(arrows=['>active', '>inactive', 'active>frozen', 'active>terminated', 'frozen>active', 'frozen>terminated', 'inactive>active', 'inactive>terminated'], name='card_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddIndex(
            model_name='cardtransaction',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='purchases_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='cardtransaction',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='purchases_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='cardtransaction',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='purchase_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='cardtransaction',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_purchase_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='cardtransaction',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='purchase_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
    ]

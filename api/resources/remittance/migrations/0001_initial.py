"""Beneficiaries and transfers."""

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
        ('quotes', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Beneficiary',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ben',), **{}), max_length=40, unique=True)),
                ('name', models.CharField(max_length=140)),
                ('country', models.CharField(max_length=2)),
                ('currency', models.CharField(max_length=10)),
                ('account', models.JSONField()),
                ('removed_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='Transfer',
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
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('trf',), **{}), max_length=40, unique=True)),
                ('rate', models.CharField(blank=True, max_length=30)),
                ('destination_currency', models.CharField(max_length=10)),
                ('destination_amount', models.BigIntegerField(null=True)),
                ('beneficiary', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='remittance.beneficiary', to_field='public_id')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('quote', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, to='quotes.quote', to_field='public_id')),
            ],
        ),
        migrations.AddIndex(
            model_name='beneficiary',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='beneficiaries_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='beneficiary',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='beneficiary_environment_is_known'),
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='transfers_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='transfer',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='transfers_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='transfer_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_transfer_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='transfer_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='transfer',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('destination_amount', None), ('quote', None), ('rate', '')), models.Q(('destination_amount__gt', 0), ('quote__isnull', False), models.Q(('rate', ''), _negated=True)), _connector='OR'), name='a_transfer_binds_what_its_quote_does'),
        ),
    ]

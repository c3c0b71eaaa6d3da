"""Virtual accounts and deposits."""

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
        ('customers', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='VirtualAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('vac',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('requires_action', 'Requires action'), ('active', 'Active'), ('frozen', 'Frozen'), ('closed', 'Closed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('currency', models.CharField(max_length=10)),
                ('account_name', models.CharField(max_length=300)),
                ('account_number', models.CharField(blank=True, max_length=20)),
                ('bank_name', models.CharField(blank=True, max_length=100)),
                ('account_type', models.CharField(choices=[('dedicated', 'Dedicated'), ('temporary', 'Temporary')], default='dedicated', max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('reasons', models.JSONField(default=list)),
                ('action_until', models.DateTimeField(null=True)),
                ('frozen_by', models.CharField(blank=True, choices=[('compliance', 'Compliance'), ('business', 'Business')], max_length=10)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('customer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='customers.customer', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='Deposit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('dep',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('held', 'Held'), ('settled', 'Settled')], default='settled', max_length=10)),
                ('amount', api.resources.columns.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('source', models.CharField(choices=[('bank_transfer', 'Bank transfer')], default='bank_transfer', max_length=20)),
                ('source_reference', models.CharField(blank=True, max_length=140)),
                ('provider_reference', models.CharField(max_length=140)),
                ('settled_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('virtual_account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to='virtual_accounts.virtualaccount', to_field='public_id')),
            ],
        ),
        migrations.AddIndex(
            model_name='virtualaccount',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='accounts_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='virtualaccount',
            index=models.Index(condition=models.Q(('status', 'requires_action')), fields=['action_until'], name='accounts_that_require_action'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='account_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=console.core.moves.MovesConstraint(arrows=['>active', '>pending', 'active>closed', 'active>frozen', 'frozen>active', 'frozen>closed', 'pending>active', 'pending>closed', 'pending>failed', 'pending>requires_action', 'requires_action>closed', 'requires_action>failed', 'requires_action>pending'], name='account_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.CheckConstraint(condition=models.Q(('account_type__in', ['dedicated', 'temporary']), ('status__in', ['pending', 'requires_action', 'active', 'frozen', 'closed', 'failed'])), name='account_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('account_number', ''), _negated=True), models.Q(('status__in', ['active', 'frozen']), _negated=True), _connector='OR'), name='an_open_account_has_a_number'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('action_until__isnull', False), ('status', 'requires_action')), models.Q(models.Q(('status', 'requires_action'), _negated=True), ('action_until', None)), _connector='OR'), name='an_account_waits_until_a_day'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('frozen_by__in', ['compliance', 'business']), ('status', 'frozen')), models.Q(models.Q(('status', 'frozen'), _negated=True), ('frozen_by', '')), _connector='OR'), name='a_frozen_account_says_by_whom'),
        ),
        migrations.AddConstraint(
            model_name='virtualaccount',
            constraint=models.UniqueConstraint(condition=models.Q(('account_number', ''), _negated=True), fields=('environment', 'account_number'), name='one_account_of_a_number'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='deposit_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=console.core.moves.MovesConstraint(arrows=['>held', '>settled', 'held>settled'], name='deposit_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('settled_at', None), ('status', 'held')), models.Q(('settled_at__isnull', False), ('status', 'settled')), _connector='OR'), name='a_settled_deposit_says_when'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_deposit_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='deposit',
            constraint=models.UniqueConstraint(fields=('business', 'environment', 'provider_reference'), name='a_provider_reference_counts_once'),
        ),
    ]

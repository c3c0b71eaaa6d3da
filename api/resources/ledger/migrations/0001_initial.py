"""Balances, and the ledger entries that they are the sums of."""

import api.resources.columns
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.db import migrations, models

RULES = """
CREATE OR REPLACE FUNCTION public.ledger_apply_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.ledger_balance SET
    available = available + NEW.amount
      * ((NEW.to_account = 'available')::int - (NEW.from_account = 'available')::int),
    pending = pending + NEW.amount
      * ((NEW.to_account = 'pending')::int - (NEW.from_account = 'pending')::int),
    reserved = reserved + NEW.amount
      * ((NEW.to_account = 'reserved')::int - (NEW.from_account = 'reserved')::int)
  WHERE id = NEW.balance_id AND business_id = NEW.business_id AND environment = NEW.environment
    AND currency = NEW.currency AND stopped_at IS NULL AND removed_at IS NULL
  RETURNING available + pending + reserved INTO NEW.total_after;
  IF FOUND THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a ledger entry belongs to a balance of its own that is open and not stopped'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_ledger_entry_is_applied BEFORE INSERT ON public.ledger_ledgerentry
FOR EACH ROW EXECUTE FUNCTION public.ledger_apply_entry();

CREATE OR REPLACE FUNCTION public.ledger_refuse_unposted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only ledger entries move a balance'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_balance_moves_by_entries
BEFORE UPDATE OF available, pending, reserved ON public.ledger_balance
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION public.ledger_refuse_unposted();
CREATE TRIGGER a_balance_opens_empty BEFORE INSERT ON public.ledger_balance
FOR EACH ROW WHEN (NEW.available <> 0 OR NEW.pending <> 0 OR NEW.reserved <> 0)
EXECUTE FUNCTION public.ledger_refuse_unposted();
"""
NO_RULES = """
DROP TRIGGER a_balance_opens_empty ON public.ledger_balance;
DROP TRIGGER a_balance_moves_by_entries ON public.ledger_balance;
DROP FUNCTION public.ledger_refuse_unposted();
DROP TRIGGER a_ledger_entry_is_applied ON public.ledger_ledgerentry;
DROP FUNCTION public.ledger_apply_entry();
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Balance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('bal',), **{}), max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('currency', models.CharField(max_length=10)),
                ('available', models.BigIntegerField(default=0)),
                ('pending', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('last_reconciled_at', models.DateTimeField(null=True)),
                ('stopped_at', models.DateTimeField(null=True)),
                ('removed_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('txn',), **{}), max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('type', models.CharField(choices=[('opening', 'Opening balance'), ('payout', 'Payout'), ('transfer', 'Transfer'), ('deposit', 'Deposit'), ('conversion', 'Conversion'), ('otc_order', 'OTC order'), ('crypto_withdrawal', 'Crypto withdrawal'), ('card_transaction', 'Card transaction'), ('refund', 'Refund'), ('savings', 'Savings'), ('digital_service', 'Digital service'), ('payroll', 'Payroll'), ('flight', 'Flight')], max_length=30)),
                ('amount', api.resources.columns.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('from_account', models.CharField(choices=[('available', 'Available'), ('pending', 'Pending'), ('reserved', 'Reserved'), ('external', 'External')], max_length=10)),
                ('to_account', models.CharField(choices=[('available', 'Available'), ('pending', 'Pending'), ('reserved', 'Reserved'), ('external', 'External')], max_length=10)),
                ('total_after', api.resources.columns.MinorUnits(default=0, of='currency')),
                ('source', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField()),
                ('balance', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='ledger.balance')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.AddIndex(
            model_name='balance',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='balances_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='balance',
            constraint=models.UniqueConstraint(fields=('business', 'environment', 'currency'), name='one_balance_per_currency'),
        ),
        migrations.AddConstraint(
            model_name='balance',
            constraint=models.CheckConstraint(condition=models.Q(('available__gte', 0), ('pending__gte', 0), ('reserved__gte', 0)), name='a_balance_is_never_negative'),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='entries_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='ledgerentry',
            index=models.Index(fields=['balance', '-id'], name='entries_of_a_balance'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=console.core.frozen.NeverChanges(name='ledger_entries_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(('from_account__in', ['available', 'pending', 'reserved', 'external']), ('to_account__in', ['available', 'pending', 'reserved', 'external'])), name='an_entry_names_known_accounts'),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('from_account', models.F('to_account')), _negated=True), ('amount__gt', 0)), name='an_entry_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='balance',
            constraint=models.CheckConstraint(condition=models.Q(('removed_at', None), models.Q(('available', 0), ('pending', 0), ('reserved', 0)), _connector='OR'), name='a_removed_balance_is_empty'),
        ),
        migrations.CreateModel(
            name='CurrencyOptIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('opt',), **{}), max_length=40, unique=True)),
                ('currency', models.CharField(max_length=10)),
                ('opened_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('business', 'currency'), name='a_currency_is_open_once_per_business'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['opened_at', 'ended_at'], name='an_opt_in_ends_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.RunSQL(RULES, NO_RULES),
    ]

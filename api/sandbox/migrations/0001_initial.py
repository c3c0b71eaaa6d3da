"""What the sandbox holds, and the ledger that its balances are the sums of.

A balance is the sum of its entries: each entry is applied as it is written, and nothing else.

The site can add entries. It cannot change or remove one, nor write the amounts of a balance, nor
open a balance that already holds something. A balance that is stopped takes no entry.
"""

import api.sandbox.models.owned_object
import console.core.frozen
import console.core.ids
import console.core.moves
import django.db.models.deletion
import django.db.models.functions.text
import functools
import secrets
from django.db import migrations, models

RULES = """
CREATE OR REPLACE FUNCTION public.ledger_apply_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.sandbox_balance SET
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

CREATE TRIGGER a_ledger_entry_is_applied BEFORE INSERT ON public.sandbox_ledgerentry
FOR EACH ROW EXECUTE FUNCTION public.ledger_apply_entry();

CREATE OR REPLACE FUNCTION public.ledger_refuse_unposted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only ledger entries move a balance'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_balance_moves_by_entries
BEFORE UPDATE OF available, pending, reserved ON public.sandbox_balance
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION public.ledger_refuse_unposted();
CREATE TRIGGER a_balance_opens_empty BEFORE INSERT ON public.sandbox_balance
FOR EACH ROW WHEN (NEW.available <> 0 OR NEW.pending <> 0 OR NEW.reserved <> 0)
EXECUTE FUNCTION public.ledger_refuse_unposted();
"""
NO_RULES = "DROP FUNCTION public.ledger_apply_entry, public.ledger_refuse_unposted CASCADE"


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
                ('cardholder', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='sandbox.cardholder', to_field='public_id')),
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
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ctx',), **{}), max_length=40, unique=True)),
                ('merchant_name', models.CharField(max_length=140)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('card', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='sandbox.card', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='CryptoAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('adr',), **{}), max_length=40, unique=True)),
                ('asset', models.CharField(max_length=10)),
                ('network', models.CharField(max_length=20)),
                ('address', models.CharField(max_length=100)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='CryptoWithdrawal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('wdr',), **{}), max_length=40, unique=True)),
                ('network', models.CharField(max_length=20)),
                ('address', models.CharField(max_length=100)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
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
        ),
        migrations.CreateModel(
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('cus',), **{}), max_length=40, unique=True)),
                ('external_customer_id', models.CharField(blank=True, max_length=140)),
                ('customer_type', models.CharField(choices=[('individual', 'Individual'), ('business', 'Business')], default='individual', max_length=10)),
                ('legal_name', models.CharField(max_length=140)),
                ('first_name', models.CharField(blank=True, max_length=70)),
                ('last_name', models.CharField(blank=True, max_length=70)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=20)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('address', models.JSONField(default=dict)),
                ('date_of_birth', models.DateField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
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
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('source', models.CharField(choices=[('bank_transfer', 'Bank transfer')], default='bank_transfer', max_length=20)),
                ('source_reference', models.CharField(blank=True, max_length=140)),
                ('provider_reference', models.CharField(max_length=140)),
                ('settled_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='FlightBooking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('fbk',), **{}), max_length=40, unique=True)),
                ('offer_id', models.CharField(max_length=80)),
                ('flight', models.JSONField()),
                ('passengers', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='IdentityVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('idv',), **{}), max_length=40, unique=True)),
                ('type', models.CharField(choices=[('passport', 'Passport'), ('national_id', 'National identity card'), ('driving_licence', 'Driving licence'), ('bank_verification_number', 'Bank verification number')], max_length=30)),
                ('country', models.CharField(max_length=2)),
                ('number_ends_with', models.CharField(max_length=4)),
                ('name', models.CharField(blank=True, max_length=140)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed')], default='pending', max_length=20)),
                ('result', models.CharField(blank=True, choices=[('confirmed', 'Confirmed'), ('mismatch', 'Of somebody else'), ('not_found', 'Not found')], max_length=20)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('customer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='sandbox.customer', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='InventoryItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('itm',), **{}), max_length=40, unique=True)),
                ('name', models.CharField(max_length=140)),
                ('sku', models.CharField(blank=True, max_length=140)),
                ('available', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='LedgerEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('txn',), **{}), max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('type', models.CharField(choices=[('opening', 'Opening balance'), ('payout', 'Payout'), ('transfer', 'Transfer'), ('deposit', 'Deposit'), ('conversion', 'Conversion'), ('otc_order', 'OTC order'), ('crypto_withdrawal', 'Crypto withdrawal'), ('card_transaction', 'Card transaction'), ('refund', 'Refund'), ('savings', 'Savings'), ('digital_service', 'Digital service'), ('payroll', 'Payroll'), ('flight', 'Flight')], max_length=30)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('from_account', models.CharField(choices=[('available', 'Available'), ('pending', 'Pending'), ('reserved', 'Reserved'), ('external', 'External')], max_length=10)),
                ('to_account', models.CharField(choices=[('available', 'Available'), ('pending', 'Pending'), ('reserved', 'Reserved'), ('external', 'External')], max_length=10)),
                ('total_after', api.sandbox.models.owned_object.MinorUnits(default=0, of='currency')),
                ('source', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField()),
                ('balance', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='sandbox.balance')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
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
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('description', models.CharField(blank=True, max_length=500)),
                ('customer', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='OtcOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('otc',), **{}), max_length=40, unique=True)),
                ('side', models.CharField(choices=[('buy', 'Buy'), ('sell', 'Sell')], max_length=10)),
                ('asset', models.CharField(max_length=10)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='asset')),
                ('price', models.CharField(max_length=30)),
                ('total', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='Payout',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('pay',), **{}), max_length=40, unique=True)),
                ('bank_account', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='PayrollRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('prl',), **{}), max_length=40, unique=True)),
                ('pay_date', models.DateField()),
                ('items', models.JSONField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='Quote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('quo',), **{}), max_length=40, unique=True)),
                ('from_currency', models.CharField(max_length=10)),
                ('from_amount', api.sandbox.models.owned_object.MinorUnits(of='from_currency')),
                ('to_currency', models.CharField(max_length=10)),
                ('to_amount', api.sandbox.models.owned_object.MinorUnits(of='to_currency')),
                ('rate', models.CharField(max_length=30)),
                ('dollar_amount', models.BigIntegerField()),
                ('dollar_rate', models.CharField(max_length=30)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
        ),
        migrations.CreateModel(
            name='Conversion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('cnv',), **{}), max_length=40, unique=True)),
                ('to_currency', models.CharField(max_length=10)),
                ('to_amount', api.sandbox.models.owned_object.MinorUnits(of='to_currency')),
                ('rate', models.CharField(max_length=30)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('quote', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, to='sandbox.quote', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='Refund',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ref',), **{}), max_length=40, unique=True)),
                ('payment_reference', models.CharField(max_length=140)),
                ('reason', models.CharField(blank=True, max_length=255)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('deposit', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='sandbox.deposit')),
            ],
        ),
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
                ('balance', api.sandbox.models.owned_object.MinorUnits(default=0, of='currency')),
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
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('svm',), **{}), max_length=40, unique=True)),
                ('direction', models.CharField(choices=[('deposit', 'Deposit'), ('withdrawal', 'Withdrawal')], max_length=10)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('savings', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='sandbox.savings', to_field='public_id')),
            ],
        ),
        migrations.CreateModel(
            name='ServiceOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed'), ('failed', 'Failed')], default='pending', max_length=20)),
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
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
        ),
        migrations.CreateModel(
            name='SubAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('sub',), **{}), max_length=40, unique=True)),
                ('email', models.CharField(max_length=254)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('active', 'Active'), ('rejected', 'Rejected'), ('suspended', 'Suspended'), ('closed', 'Closed')], default='pending', max_length=20)),
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
                ('amount', api.sandbox.models.owned_object.MinorUnits(of='currency')),
                ('currency', models.CharField(max_length=10)),
                ('reference', models.CharField(blank=True, max_length=140)),
                ('failure_code', models.CharField(blank=True, max_length=40)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('trf',), **{}), max_length=40, unique=True)),
                ('rate', models.CharField(blank=True, max_length=30)),
                ('destination_currency', models.CharField(max_length=10)),
                ('destination_amount', models.BigIntegerField(null=True)),
                ('beneficiary', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='sandbox.beneficiary', to_field='public_id')),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('quote', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, to='sandbox.quote', to_field='public_id')),
            ],
        ),
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
                ('customer', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, to='sandbox.customer', to_field='public_id')),
            ],
        ),
        migrations.AddField(
            model_name='deposit',
            name='virtual_account',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deposits', to='sandbox.virtualaccount', to_field='public_id'),
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
        migrations.AddConstraint(
            model_name='balance',
            constraint=models.CheckConstraint(condition=models.Q(('removed_at', None), models.Q(('available', 0), ('pending', 0), ('reserved', 0)), _connector='OR'), name='a_removed_balance_is_empty'),
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
        migrations.AddIndex(
            model_name='cryptoaddress',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='addresses_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='cryptoaddress',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='address_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='cryptoaddress',
            constraint=models.UniqueConstraint(fields=('network', 'address'), name='an_address_belongs_to_one_business'),
        ),
        migrations.AddIndex(
            model_name='cryptowithdrawal',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='withdrawals_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='cryptowithdrawal',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='withdrawals_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='cryptowithdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='withdrawal_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='cryptowithdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_withdrawal_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='cryptowithdrawal',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='withdrawal_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='currencyoptin',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('business', 'currency'), name='a_currency_is_open_once_per_business'),
        ),
        migrations.AddConstraint(
            model_name='currencyoptin',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['opened_at', 'ended_at'], name='an_opt_in_ends_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddIndex(
            model_name='customer',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='customers_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='customer',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='customer_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='customer',
            constraint=models.CheckConstraint(condition=models.Q(('customer_type__in', ['individual', 'business'])), name='customer_type_is_known'),
        ),
        migrations.AddIndex(
            model_name='flightbooking',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='flight_bookings_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='flightbooking',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='flight_booking_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='flightbooking',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_flight_booking_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='flightbooking',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='flight_booking_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddIndex(
            model_name='identityverification',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='verifications_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='identityverification',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='verification_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='identityverification',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('completed_at', None), ('result', ''), ('status', 'pending')), models.Q(('completed_at__isnull', False), ('result__in', ['confirmed', 'mismatch', 'not_found']), ('status', 'completed')), _connector='OR'), name='a_completed_verification_has_a_result'),
        ),
        migrations.AddConstraint(
            model_name='identityverification',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed'], name='verification_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddIndex(
            model_name='inventoryitem',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='stock_in_reading_order'),
        ),
        migrations.AddConstraint(
            model_name='inventoryitem',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='inventory_item_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='inventoryitem',
            constraint=models.CheckConstraint(condition=models.Q(('available__gte', 0), ('reserved__gte', 0)), name='stock_is_never_negative'),
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
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='order_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='an_order_asks_for_something'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=console.core.frozen.NeverChanges(name='orders_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"),
        ),
        migrations.AddIndex(
            model_name='otcorder',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='otc_orders_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='otcorder',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='otc_orders_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='otcorder',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='otc_order_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='otcorder',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_otc_order_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='otcorder',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='otc_order_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='otcorder',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['buy', 'sell']), ('total__gt', 0)), name='an_otc_order_has_two_sides'),
        ),
        migrations.AddIndex(
            model_name='payout',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='payouts_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='payout',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='payouts_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='payout',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='payout_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='payout',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_payout_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='payout',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='payout_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddIndex(
            model_name='payrollrun',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='payroll_runs_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='payrollrun',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='payroll_runs_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='payrollrun',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='payroll_run_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='payrollrun',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_payroll_run_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='payrollrun',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='payroll_run_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='quote',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='quote_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='quote',
            constraint=models.CheckConstraint(condition=models.Q(('from_amount__gt', 0), ('to_amount__gt', 0)), name='a_quote_is_of_something'),
        ),
        migrations.AddConstraint(
            model_name='quote',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['from_amount', 'to_amount', 'rate', 'expires_at', 'used_at'], name='a_quote_binds_and_is_used_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddIndex(
            model_name='conversion',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='conversions_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='conversion',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='conversions_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='conversion',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='conversion_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='conversion',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_conversion_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='conversion',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='conversion_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddConstraint(
            model_name='conversion',
            constraint=models.CheckConstraint(condition=models.Q(('to_amount__gt', 0)), name='a_conversion_brings_something'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='refunds_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='refund',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='refunds_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='refund_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_refund_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='refund',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='refund_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
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
        migrations.AddIndex(
            model_name='serviceorder',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='service_orders_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='serviceorder',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['pending', 'completed', 'failed'])), name='service_order_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='serviceorder',
            constraint=models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='a_service_order_moves_something'),
        ),
        migrations.AddConstraint(
            model_name='serviceorder',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed', 'pending>failed'], name='service_order_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.AddIndex(
            model_name='subaccount',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['created_at'], name='sub_accounts_that_wait'),
        ),
        migrations.AddConstraint(
            model_name='subaccount',
            constraint=models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='sub_account_environment_is_known'),
        ),
        migrations.AddConstraint(
            model_name='subaccount',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'active', 'rejected', 'suspended', 'closed'])), name='sub_account_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='subaccount',
            constraint=models.UniqueConstraint(models.F('business'), models.F('environment'), django.db.models.functions.text.Upper('email'), condition=models.Q(('status__in', ('rejected', 'closed')), _negated=True), name='one_sub_account_an_address'),
        ),
        migrations.AddConstraint(
            model_name='subaccount',
            constraint=console.core.moves.MovesConstraint(arrows=['>pending', 'active>closed', 'active>suspended', 'pending>active', 'pending>closed', 'pending>rejected', 'suspended>active', 'suspended>closed'], name='sub_account_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
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
        migrations.RunSQL(RULES, NO_RULES),
    ]

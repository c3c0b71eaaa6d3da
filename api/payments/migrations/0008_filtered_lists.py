"""Indexes for the filters of lists. Nobody waits for them."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


def _index(model, index):
    """Add an index. An interrupted migration leaves one, so drop it before another attempt."""
    return [
        migrations.RunSQL(
            f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(model, index),
    ]


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('accounts', '0010_recorded_people'),
        ('sandbox', '0007_money_of_a_day'),
    ]

    operations = [
        *_index('beneficiary', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='beneficiaries_by_currency')),
        *_index('card', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='cards_by_status')),
        *_index('card', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='cards_by_currency')),
        *_index('card', models.Index(fields=['business', 'environment', 'label', '-created_at', '-id'], name='cards_by_label')),
        *_index('card', models.Index(fields=['business', 'environment', 'cardholder', '-created_at', '-id'], name='cards_by_cardholder')),
        *_index('cardtransaction', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='purchases_by_status')),
        *_index('cardtransaction', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='purchases_by_currency')),
        *_index('cardtransaction', models.Index(fields=['business', 'environment', 'card', '-created_at', '-id'], name='purchases_by_card')),
        *_index('checkoutsession', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='sessions_by_status')),
        *_index('checkoutsession', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='sessions_by_currency')),
        *_index('conversion', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='conversions_by_status')),
        *_index('conversion', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='conversions_by_currency')),
        *_index('conversion', models.Index(fields=['business', 'environment', 'to_currency', '-created_at', '-id'], name='conversions_by_to_currency')),
        *_index('cryptoaddress', models.Index(fields=['business', 'environment', 'asset', '-created_at', '-id'], name='addresses_by_asset')),
        *_index('cryptowithdrawal', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='withdrawals_by_status')),
        *_index('cryptowithdrawal', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='withdrawals_by_currency')),
        *_index('customer', models.Index(fields=['business', 'environment', 'external_customer_id', '-created_at', '-id'], name='customers_by_external_customer')),
        *_index('customer', models.Index(fields=['business', 'environment', 'email', '-created_at', '-id'], name='customers_by_email')),
        *_index('inventoryitem', models.Index(fields=['business', 'environment', 'sku', '-created_at', '-id'], name='stock_by_sku')),
        *_index('ledgerentry', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='entries_by_currency')),
        *_index('ledgerentry', models.Index(fields=['business', 'environment', 'source', '-created_at', '-id'], name='entries_by_source')),
        *_index('otcorder', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='otc_orders_by_status')),
        *_index('otcorder', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='otc_orders_by_currency')),
        *_index('otcorder', models.Index(fields=['business', 'environment', 'asset', '-created_at', '-id'], name='otc_orders_by_asset')),
        *_index('payout', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='payouts_by_status')),
        *_index('payout', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='payouts_by_currency')),
        *_index('payout', models.Index(fields=['business', 'environment', 'reference', '-created_at', '-id'], name='payouts_by_reference')),
        *_index('payrollrun', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='payroll_runs_by_status')),
        *_index('payrollrun', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='payroll_runs_by_currency')),
        *_index('refund', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='refunds_by_status')),
        *_index('refund', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='refunds_by_currency')),
        *_index('refund', models.Index(fields=['business', 'environment', 'payment_reference', '-created_at', '-id'], name='refunds_by_payment_reference')),
        *_index('savings', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='savings_by_currency')),
        *_index('savings', models.Index(fields=['business', 'environment', 'name', '-created_at', '-id'], name='savings_by_name')),
        *_index('transfer', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='transfers_by_status')),
        *_index('transfer', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='transfers_by_currency')),
        *_index('transfer', models.Index(fields=['business', 'environment', 'reference', '-created_at', '-id'], name='transfers_by_reference')),
        *_index('transfer', models.Index(fields=['business', 'environment', 'beneficiary', '-created_at', '-id'], name='transfers_by_beneficiary')),
        *_index('virtualaccount', models.Index(fields=['business', 'environment', 'status', '-created_at', '-id'], name='accounts_by_status')),
        *_index('virtualaccount', models.Index(fields=['business', 'environment', 'currency', '-created_at', '-id'], name='accounts_by_currency')),
        *_index('virtualaccount', models.Index(fields=['business', 'environment', 'reference', '-created_at', '-id'], name='accounts_by_reference')),
        *_index('virtualaccount', models.Index(fields=['business', 'environment', 'customer', '-created_at', '-id'], name='accounts_by_customer')),
    ]

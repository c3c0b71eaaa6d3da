"""Products of a business, and what is shown of them; decided by outsiders.

What a business is given and refused is decided by outsiders, and by one column at a time.

- Who ever belonged to a business neither approves or withdraws its products, nor sets a module of
  it by hand.
- One statement never changes both what a module is by itself and what it is by hand: the sync
  writes the one, the account team the other.
"""

import console.core.ids
import console.core.moves
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models

RULES = """
CREATE OR REPLACE FUNCTION public.catalogue_refuse_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;
  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.accounts_participant
             WHERE business_id = NEW.business_id AND person_id = who) THEN
    RAISE EXCEPTION 'who took part for a business decides nothing about its products'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_product_is_decided_by_an_outsider
BEFORE INSERT OR UPDATE OF status, by_id ON public.catalogue_businessproduct
FOR EACH ROW WHEN (NEW.by_id IS NOT NULL AND NEW.status IN ('approved', 'withdrawn'))
EXECUTE FUNCTION public.catalogue_refuse_participant('by_id');
CREATE TRIGGER a_module_is_set_by_an_outsider
BEFORE INSERT OR UPDATE OF hand, hand_by_id ON public.catalogue_modulesetting
FOR EACH ROW WHEN (NEW.hand_by_id IS NOT NULL)
EXECUTE FUNCTION public.catalogue_refuse_participant('hand_by_id');

CREATE OR REPLACE FUNCTION public.catalogue_refuse_mixed_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'one statement changes a module by itself or by hand, never both'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
CREATE TRIGGER a_sync_never_changes_a_hand_setting
BEFORE UPDATE ON public.catalogue_modulesetting FOR EACH ROW
WHEN (
  (OLD.automatic, OLD.automatic_since) IS DISTINCT FROM (NEW.automatic, NEW.automatic_since)
  AND (OLD.hand, OLD.hand_by_id, OLD.hand_at, OLD.hand_reason)
    IS DISTINCT FROM (NEW.hand, NEW.hand_by_id, NEW.hand_at, NEW.hand_reason))
EXECUTE FUNCTION public.catalogue_refuse_mixed_change();
"""
NO_RULES = """
DROP FUNCTION
  public.catalogue_refuse_participant,
  public.catalogue_refuse_mixed_change
CASCADE
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BusinessProduct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('prd',), **{}), max_length=40, unique=True)),
                ('product', models.CharField(max_length=40)),
                ('status', models.CharField(choices=[('none', 'Not asked for'), ('requested', 'Asked for'), ('approved', 'Approved'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn')], default='none', max_length=20)),
                ('requested_at', models.DateTimeField(null=True)),
                ('since', models.DateTimeField()),
                ('reason', models.TextField(blank=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [console.core.moves.MovesConstraint(arrows=['>none', 'approved>withdrawn', 'none>requested', 'refused>requested', 'requested>approved', 'requested>refused', 'withdrawn>requested'], name='product_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.UniqueConstraint(fields=('business', 'product'), name='a_product_stands_once_per_business'), models.CheckConstraint(condition=models.Q(('product__in', ['balances', 'cards', 'checkout', 'conversions', 'crypto', 'customers', 'digital_services', 'financing', 'flights', 'identity_verification', 'inventory', 'merchant', 'otc', 'payouts', 'payroll', 'rates', 'refunds', 'remittance', 'savings', 'virtual_accounts', 'webhooks'])), name='product_is_in_the_catalogue'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['requested', 'approved']), _negated=True), ('requested_at__isnull', False), _connector='OR'), name='what_is_requested_says_since_when'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['refused', 'withdrawn']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='who_loses_a_product_is_told_why')],
            },
        ),
        migrations.CreateModel(
            name='ModuleSetting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('mds',), **{}), max_length=40, unique=True)),
                ('module', models.CharField(max_length=40)),
                ('automatic', models.BooleanField(default=False)),
                ('automatic_since', models.DateTimeField()),
                ('hand', models.CharField(blank=True, choices=[('', 'Automatic'), ('on', 'On'), ('off', 'Off')], max_length=3)),
                ('hand_at', models.DateTimeField(null=True)),
                ('hand_reason', models.TextField(blank=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('hand_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'module'), name='a_module_is_set_once_per_business'), models.CheckConstraint(condition=models.Q(('module__in', ['balances', 'cards', 'checkout', 'conversions', 'crypto', 'customers', 'digital_services', 'financing', 'flights', 'identity_verification', 'inventory', 'merchant', 'otc', 'payouts', 'payroll', 'rates', 'refunds', 'remittance', 'savings', 'virtual_accounts', 'webhooks'])), name='module_is_of_a_product'), models.CheckConstraint(condition=models.Q(models.Q(('hand', ''), ('hand_at', None), ('hand_by', None), ('hand_reason', '')), models.Q(('hand__in', ['on', 'off']), ('hand_at__isnull', False), ('hand_by__isnull', False), models.Q(('hand_reason', ''), _negated=True)), _connector='OR'), name='a_hand_setting_says_who_when_and_why')],
            },
        ),
        migrations.RunSQL(RULES, NO_RULES),
    ]

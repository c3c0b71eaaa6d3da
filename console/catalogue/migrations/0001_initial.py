"""Products of businesses and settings of their modules."""

import console.core.database_rule
import console.core.ids
import console.core.moves_constraint
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


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
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>none', 'approved>withdrawn', 'none>requested', 'refused>requested', 'requested>approved', 'requested>refused', 'withdrawn>requested'], name='product_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.UniqueConstraint(fields=('business', 'product'), name='a_product_stands_once_per_business'), models.CheckConstraint(condition=models.Q(('product__in', ['balances', 'cards', 'checkout', 'conversions', 'crypto', 'customers', 'digital_services', 'financing', 'flights', 'identity_verification', 'inventory', 'merchant', 'otc', 'payouts', 'payroll', 'rates', 'refunds', 'remittance', 'savings', 'virtual_accounts', 'webhooks'])), name='product_is_in_the_catalogue'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['requested', 'approved']), _negated=True), ('requested_at__isnull', False), _connector='OR'), name='what_is_requested_says_since_when'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['refused', 'withdrawn']), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='who_loses_a_product_is_told_why')],
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
        migrations.AddConstraint(
            model_name='businessproduct',
            constraint=console.core.database_rule.DatabaseRule(name='catalogue_refuse_participant', sql="CREATE FUNCTION public.catalogue_refuse_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who bigint;\nBEGIN\n  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;\n  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;\n  IF EXISTS (SELECT FROM public.accounts_participant\n             WHERE business_id = NEW.business_id AND person_id = who) THEN\n    RAISE EXCEPTION 'who took part for a business decides nothing about its products'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_product_is_decided_by_an_outsider\nBEFORE INSERT OR UPDATE OF status, by_id ON public.catalogue_businessproduct\nFOR EACH ROW WHEN (NEW.by_id IS NOT NULL AND NEW.status IN ('approved', 'withdrawn'))\nEXECUTE FUNCTION public.catalogue_refuse_participant('by_id');\nCREATE TRIGGER a_module_is_set_by_an_outsider\nBEFORE INSERT OR UPDATE OF hand, hand_by_id ON public.catalogue_modulesetting\nFOR EACH ROW WHEN (NEW.hand_by_id IS NOT NULL)\nEXECUTE FUNCTION public.catalogue_refuse_participant('hand_by_id');\n"),
        ),
        migrations.AddConstraint(
            model_name='modulesetting',
            constraint=console.core.database_rule.DatabaseRule(name='catalogue_refuse_mixed_change', sql="-- The sync writes the automatic setting; our account team writes the manual one.\nCREATE FUNCTION public.catalogue_refuse_mixed_change() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  RAISE EXCEPTION 'one statement changes a module by itself or by hand, never both'\n    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\nCREATE TRIGGER a_sync_never_changes_a_hand_setting\nBEFORE UPDATE ON public.catalogue_modulesetting FOR EACH ROW\nWHEN (\n  (OLD.automatic, OLD.automatic_since) IS DISTINCT FROM (NEW.automatic, NEW.automatic_since)\n  AND (OLD.hand, OLD.hand_by_id, OLD.hand_at, OLD.hand_reason)\n    IS DISTINCT FROM (NEW.hand, NEW.hand_by_id, NEW.hand_at, NEW.hand_reason))\nEXECUTE FUNCTION public.catalogue_refuse_mixed_change();\n"),
        ),
    ]

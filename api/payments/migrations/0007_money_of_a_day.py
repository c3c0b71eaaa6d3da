"""Balances know what came and left on the day of their newest entry."""

import console.core.database_rule
from django.db import migrations, models

two_step = "Entries of every release so far post with these rules; the columns have defaults."


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_recorded_people'),
        ('sandbox', '0006_recorded_currencies'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='balance',
            name='ledger_refuse_unposted',
        ),
        migrations.RemoveConstraint(
            model_name='ledgerentry',
            name='ledger_apply_entry',
        ),
        migrations.AddField(
            model_name='balance',
            name='day',
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name='balance',
            name='in_on_day',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='balance',
            name='out_on_day',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddConstraint(
            model_name='balance',
            constraint=console.core.database_rule.DatabaseRule(name='ledger_refuse_unposted', sql="CREATE FUNCTION public.ledger_refuse_unposted() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  RAISE EXCEPTION 'only ledger entries move a balance'\n    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\n\nCREATE TRIGGER a_balance_moves_by_entries\nBEFORE UPDATE OF available, pending, reserved, day, in_on_day, out_on_day ON public.sandbox_balance\nFOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION public.ledger_refuse_unposted();\nCREATE TRIGGER a_balance_opens_empty BEFORE INSERT ON public.sandbox_balance\nFOR EACH ROW WHEN (NEW.available <> 0 OR NEW.pending <> 0 OR NEW.reserved <> 0\n  OR NEW.day IS NOT NULL OR NEW.in_on_day <> 0 OR NEW.out_on_day <> 0)\nEXECUTE FUNCTION public.ledger_refuse_unposted();\n"),
        ),
        migrations.AddConstraint(
            model_name='ledgerentry',
            constraint=console.core.database_rule.DatabaseRule(name='ledger_apply_entry', sql="CREATE FUNCTION public.ledger_apply_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  today date := (NEW.created_at AT TIME ZONE 'UTC')::date;\nBEGIN\n  UPDATE public.sandbox_balance SET\n    available = available + NEW.amount\n      * ((NEW.to_account = 'available')::int - (NEW.from_account = 'available')::int),\n    pending = pending + NEW.amount\n      * ((NEW.to_account = 'pending')::int - (NEW.from_account = 'pending')::int),\n    reserved = reserved + NEW.amount\n      * ((NEW.to_account = 'reserved')::int - (NEW.from_account = 'reserved')::int),\n    day = today,\n    in_on_day = CASE WHEN day = today THEN in_on_day ELSE 0 END\n      + NEW.amount * (NEW.from_account = 'external')::int,\n    out_on_day = CASE WHEN day = today THEN out_on_day ELSE 0 END\n      + NEW.amount * (NEW.to_account = 'external')::int\n  WHERE id = NEW.balance_id AND business_id = NEW.business_id AND environment = NEW.environment\n    AND currency = NEW.currency AND stopped_at IS NULL AND removed_at IS NULL\n  RETURNING available + pending + reserved INTO NEW.total_after;\n  IF FOUND THEN RETURN NEW; END IF;\n  RAISE EXCEPTION 'a ledger entry belongs to a balance of its own that is open and not stopped'\n    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\n\nCREATE TRIGGER a_ledger_entry_is_applied BEFORE INSERT ON public.sandbox_ledgerentry\nFOR EACH ROW EXECUTE FUNCTION public.ledger_apply_entry();\n"),
        ),
    ]

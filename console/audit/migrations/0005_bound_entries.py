"""Entries get the database's time, and changes need entries that say what they do."""

from importlib import import_module

import console.core.database_rule
from django.db import migrations, models

REQUIRE = "-- Deferred to the commit. Arguments: the constraint; the column of the entry's subject and its table,\n-- if it is not the row itself; `path=column` for each member of the entry that a column must equal.\nCREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);\n  subject text := whole ->> 'public_id';\nBEGIN\n  IF TG_ARGV[1] <> '' THEN\n    EXECUTE format('SELECT public_id FROM public.%I WHERE id = $1',\n      COALESCE(NULLIF(TG_ARGV[2], ''), 'accounts_user'))\n    INTO subject USING (whole ->> TG_ARGV[1])::bigint;\n  END IF;\n  IF subject IS NULL OR NOT EXISTS (\n    SELECT FROM public.audit_entries_now(subject, NULL) AS entry\n    WHERE NOT EXISTS (\n      SELECT FROM unnest(string_to_array(NULLIF(TG_ARGV[3], ''), ' ')) AS pair\n      WHERE entry.body::jsonb #>> ('{body,' || split_part(pair, '=', 1) || '}')::text[]\n        IS DISTINCT FROM whole ->> split_part(pair, '=', 2))) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\n"
REQUIRE_BEFORE = import_module('console.audit.migrations.0002_link_after_commit').REQUIRE


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0004_link_by_index'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='entry',
            name='audit_refuse_unreadable',
        ),
        migrations.AddIndex(
            model_name='unlinkedentry',
            index=models.Index(fields=['transaction'], name='audit_unlinked_by_transaction'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_time', sql='-- The time of an entry, whatever its writer says.\nCREATE FUNCTION public.audit_time(said timestamptz) RETURNS timestamptz\nLANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;\n'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_refuse_unreadable', sql='CREATE FUNCTION public.audit_refuse_unreadable() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  format constant text := \'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"\';\n  stated text := to_char(NEW.at AT TIME ZONE \'UTC\', format);\n  dated text;\n  whole jsonb;\n  said jsonb;\nBEGIN\n  NEW.at := public.audit_time(NEW.at);\n  dated := to_char(NEW.at AT TIME ZONE \'UTC\', format);\n  NEW.body := replace(NEW.body, \'"at":"\' || stated || \'"\', \'"at":"\' || dated || \'"\');\n  whole := NEW.body::jsonb;\n  said := whole -> \'body\';\n  -- Searched values must be text: the number 5 is not the text "5".\n  IF NEW.at >= \'2000-01-01\' AND NEW.at < \'10000-01-01\'\n    AND whole -> \'_type\' = \'"console.audit.entry.v1"\'\n    AND said -> \'id\' = to_jsonb(NEW.public_id)\n    AND said ->> \'at\' = dated\n    AND said -> \'code\' = to_jsonb(NEW.code)\n    AND said #> \'{actor,id}\' = to_jsonb(NEW.actor_id)\n    AND said #> \'{actor,name}\' = to_jsonb(NEW.actor_name)\n    AND said -> \'business\' = to_jsonb(NEW.business_id)\n    AND said #> \'{subject,type}\' = to_jsonb(NEW.subject_type)\n    AND said #> \'{subject,id}\' = to_jsonb(NEW.subject_id)\n    AND said #> \'{request,id}\' = to_jsonb(NEW.request_id)\n    -- Not every reader of JSON knows other numbers, or unlimited nesting.\n    AND NOT whole @? \'$.** ? (@.type() == "number" &&\n      (@ > 9007199254740991 || @ < -9007199254740991 || @.floor() != @))\'\n    AND NOT whole @? \'$.**{32}\'\n  THEN RETURN NEW; END IF;\n  RAISE EXCEPTION \'the body of an audit entry does not say what its columns say\'\n    USING ERRCODE = \'check_violation\', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\n\nCREATE TRIGGER audit_entry_is_readable BEFORE INSERT ON public.audit_entry\nFOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unreadable();\n'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_entries_now', sql='-- The entries of this transaction about a subject and by an actor; null stands for any. They wait to\n-- be linked, and nobody else sees them.\nCREATE FUNCTION public.audit_entries_now(about text, actor text) RETURNS SETOF public.audit_entry\nLANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp\n-- A plan that was made while the queue was empty must also be good for a long one.\nSET enable_seqscan = off AS $$\n  SELECT entry.* FROM public.audit_unlinked AS unlinked\n  JOIN public.audit_entry AS entry ON entry.id = unlinked.entry_id\n  WHERE unlinked.transaction = pg_current_xact_id()::text::bigint\n    AND (about IS NULL OR entry.subject_id = about) AND (actor IS NULL OR entry.actor_id = actor)\n$$;\n'),
        ),
        # Replaced in place, because triggers of many tables use it.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(REQUIRE, REQUIRE_BEFORE)],
            state_operations=[
                migrations.RemoveConstraint(model_name='entry', name='audit_require_entry'),
                migrations.AddConstraint(
                    model_name='entry',
                    constraint=console.core.database_rule.DatabaseRule(
                        name='audit_require_entry', sql=REQUIRE
                    ),
                ),
            ],
        ),
    ]

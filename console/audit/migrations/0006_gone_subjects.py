"""Rows that are removed together with the row they are about need no entry of their own."""

from importlib import import_module

import console.core.database_rule
from django.db import migrations

REQUIRE = "-- Deferred to the commit. Arguments: the constraint; the column of the entry's subject and its table,\n-- if it is not the row itself; `path=column` for each member of the entry that a column must equal.\n-- What goes together with the row that its entry would be about needs none of its own.\nCREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);\n  subject text := whole ->> 'public_id';\nBEGIN\n  IF TG_ARGV[1] <> '' THEN\n    EXECUTE format('SELECT public_id FROM public.%I WHERE id = $1',\n      COALESCE(NULLIF(TG_ARGV[2], ''), 'accounts_user'))\n    INTO subject USING (whole ->> TG_ARGV[1])::bigint;\n    IF subject IS NULL AND TG_OP = 'DELETE' AND whole ->> TG_ARGV[1] IS NOT NULL THEN\n      RETURN NULL;\n    END IF;\n  END IF;\n  IF subject IS NULL OR NOT EXISTS (\n    SELECT FROM public.audit_entries_now(subject, NULL) AS entry\n    WHERE NOT EXISTS (\n      SELECT FROM unnest(string_to_array(NULLIF(TG_ARGV[3], ''), ' ')) AS pair\n      WHERE entry.body::jsonb #>> ('{body,' || split_part(pair, '=', 1) || '}')::text[]\n        IS DISTINCT FROM whole ->> split_part(pair, '=', 2))) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\n"
REQUIRE_BEFORE = import_module('console.audit.migrations.0005_bound_entries').REQUIRE


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
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

"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.core.database_rule
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('screening', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='listname',
            constraint=console.core.database_rule.DatabaseRule(name='screening_record_lists', sql="-- What a list says, and the keys by which its names are found, change with an audit entry about a\n-- version of that list.\nCREATE FUNCTION public.screening_record_lists() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(NEW);\n  of_list text := whole ->> 'kind';\nBEGIN\n  IF TG_TABLE_NAME = 'screening_listname' THEN\n    SELECT kind INTO of_list FROM public.screening_listentry\n    WHERE id = (whole ->> 'entry_id')::bigint;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entries_now(NULL, NULL) AS entry\n    JOIN public.screening_listversion AS version ON version.public_id = entry.subject_id\n    WHERE version.kind = of_list) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about its list', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\nCREATE CONSTRAINT TRIGGER ends_of_list_versions_are_recorded AFTER UPDATE OF superseded_at\nON public.screening_listversion DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();\nCREATE CONSTRAINT TRIGGER ends_of_list_entries_are_recorded AFTER UPDATE OF gone_id\nON public.screening_listentry DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();\nCREATE CONSTRAINT TRIGGER keys_of_listed_names_are_recorded AFTER UPDATE OF normal, keys, keys_version\nON public.screening_listname DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();\n"),
        ),
    ]

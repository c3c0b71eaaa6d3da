"""Columns that never change while their row has one of some statuses."""

from django.db import migrations

RULE = """
CREATE OR REPLACE FUNCTION public.console_refuse_late_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  becomes jsonb := to_jsonb(NEW);
  name text;
BEGIN
  IF was ->> 'status' <> ALL (string_to_array(TG_ARGV[2], ' ')) THEN RETURN NEW; END IF;
  FOREACH name IN ARRAY string_to_array(TG_ARGV[1], ' ') LOOP
    IF was -> name IS DISTINCT FROM becomes -> name THEN
      RAISE EXCEPTION '% of % never changes while it is %', name, TG_TABLE_NAME, was ->> 'status'
        USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("core", "0001_initial")]
    operations = [
        migrations.RunSQL(RULE, "DROP FUNCTION IF EXISTS public.console_refuse_late_change();"),
    ]

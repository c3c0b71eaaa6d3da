"""A key that is kept is kept whatever it is: zero is a key too."""

from django.db import migrations

RULE = """
CREATE OR REPLACE FUNCTION public.console_refuse_second_value() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  becomes jsonb;
  name text;
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION '% rows are kept', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
  END IF;
  becomes := to_jsonb(NEW);
  IF becomes ->> 'status' = TG_ARGV[2] AND was ->> 'status' <> TG_ARGV[2] THEN
    RETURN NEW;
  END IF;
  FOREACH name IN ARRAY string_to_array(TG_ARGV[1], ' ') LOOP
    IF was -> name IS DISTINCT FROM becomes -> name
      AND {was set}
    THEN
      RAISE EXCEPTION '% of % never changes once it is set', name, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
"""
WAS = """was -> name NOT IN ('null', '""', '0', '{}', '[]')"""


def rule(was_set: str) -> str:
    return RULE.replace("{was set}", was_set)


class Migration(migrations.Migration):
    dependencies = [("core", "0002_kept_while")]
    operations = [migrations.RunSQL(rule(f"(name = 'id' OR {WAS})"), rule(WAS))]

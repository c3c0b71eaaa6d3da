"""Privileges of the site's role, and the functions that triggers of all packages call.

The functions enforce allowed moves, immutable rows and columns that are set once. Another one
creates and drops daily partitions for the site, which owns no tables.
"""

from django.db import migrations

# `site` is the role in DATABASE_URL. If it does not exist (one role for everything), the deployment
# check reports that, and there is nothing to grant here.
GRANTS = """
DO $$ BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    GRANT USAGE ON SCHEMA public TO site;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO site;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO site;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO site;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO site;
  END IF;
END $$
"""
FUNCTIONS = """
CREATE OR REPLACE FUNCTION public.console_refuse_unlisted_move() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  here text := '';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    here := OLD.status;
    IF NEW.status = here THEN RETURN NEW; END IF;
  END IF;
  IF here || '>' || NEW.status = ANY (string_to_array(TG_ARGV[1], ' ')) THEN RETURN NEW; END IF;
  RAISE EXCEPTION '% does not allow % to become %', TG_ARGV[0], here, NEW.status
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE FUNCTION public.console_refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% rows never change', TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
END $$;

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
      AND (name = 'id' OR was -> name NOT IN ('null', '""', '0', '{}', '[]'))
    THEN
      RAISE EXCEPTION '% of % never changes once it is set', name, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

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

CREATE OR REPLACE FUNCTION public.console_day_partition(what text, day date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  name text := what || to_char(day, '_YYYYMMDD');
  kept integer;
BEGIN
  SELECT substring(obj_description(oid, 'pg_class') FROM '^days kept: ([0-9]+)$')::integer
  INTO kept FROM pg_class
  WHERE relname = what AND relnamespace = 'public'::regnamespace AND relkind = 'p';
  IF kept IS NULL OR day > today + 14 THEN
    RAISE EXCEPTION '% is no table of days, or % is too far ahead', what, day
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF day < today - kept THEN
    EXECUTE format('DROP TABLE IF EXISTS public.%I', name);
    RETURN 'dropped';
  END IF;
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
    name, what, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
  RETURN 'made';
END $$;
"""
NO_FUNCTIONS = """
DROP FUNCTION
  public.console_refuse_unlisted_move,
  public.console_refuse_change,
  public.console_refuse_second_value,
  public.console_refuse_late_change,
  public.console_day_partition
CASCADE
"""


class Migration(migrations.Migration):
    initial = True
    # Runs before all our tables are created, so that the default privileges apply to them.
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
    ]

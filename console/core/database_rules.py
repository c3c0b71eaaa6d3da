"""What triggers of any table call: allowed moves, rows that never change, columns set once."""

# What the migrations must have made; a guard compares the two.
RULES = """
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
      AND was -> name NOT IN ('null', '""', '0', '{}', '[]')
    THEN
      RAISE EXCEPTION '% of % never changes once it is set', name, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
"""

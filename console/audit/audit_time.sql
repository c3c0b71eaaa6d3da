-- The time of an entry, whatever its writer says.
CREATE FUNCTION public.audit_time(said timestamptz) RETURNS timestamptz
LANGUAGE sql VOLATILE AS $$ SELECT clock_timestamp() $$;

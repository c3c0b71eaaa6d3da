-- Deferred to the commit. Arguments: the constraint; the column of the entry's subject and its table,
-- if it is not the row itself; `path=column` for each member of the entry that a column must equal.
-- What goes together with the row that its entry would be about needs none of its own.
CREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  subject text := whole ->> 'public_id';
BEGIN
  IF TG_ARGV[1] <> '' THEN
    EXECUTE format('SELECT public_id FROM public.%I WHERE id = $1',
      COALESCE(NULLIF(TG_ARGV[2], ''), 'accounts_user'))
    INTO subject USING (whole ->> TG_ARGV[1])::bigint;
    IF subject IS NULL AND TG_OP = 'DELETE' AND whole ->> TG_ARGV[1] IS NOT NULL THEN
      RETURN NULL;
    END IF;
  END IF;
  IF subject IS NULL OR NOT EXISTS (
    SELECT FROM public.audit_entries_now(subject, NULL) AS entry
    WHERE NOT EXISTS (
      SELECT FROM unnest(string_to_array(NULLIF(TG_ARGV[3], ''), ' ')) AS pair
      WHERE entry.body::jsonb #>> ('{body,' || split_part(pair, '=', 1) || '}')::text[]
        IS DISTINCT FROM whole ->> split_part(pair, '=', 2))) THEN
    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;

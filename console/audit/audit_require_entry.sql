-- Deferred to the commit: an entry of this transaction waits to be linked, and nobody else sees it.
CREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := to_jsonb(NEW);
  subject text := whole ->> 'public_id';
BEGIN
  IF TG_ARGV[1] <> '' THEN  -- the entry of a role is about its person
    SELECT public_id INTO subject FROM public.accounts_user
    WHERE id = (whole ->> TG_ARGV[1])::bigint;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.audit_entry AS entry
    JOIN public.audit_unlinked AS unlinked ON unlinked.entry_id = entry.id
    WHERE entry.subject_id = subject
      AND unlinked.transaction = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;

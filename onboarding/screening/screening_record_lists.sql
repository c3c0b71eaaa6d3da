-- What a list says, and the keys by which its names are found, change with an audit entry about a
-- version of that list.
CREATE FUNCTION public.screening_record_lists() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := to_jsonb(NEW);
  of_list text := whole ->> 'kind';
BEGIN
  IF TG_TABLE_NAME = 'screening_listname' THEN
    SELECT kind INTO of_list FROM public.screening_listentry
    WHERE id = (whole ->> 'entry_id')::bigint;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.audit_entries_now(NULL, NULL) AS entry
    JOIN public.screening_listversion AS version ON version.public_id = entry.subject_id
    WHERE version.kind = of_list) THEN
    RAISE EXCEPTION '% changes together with an audit entry about its list', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ends_of_list_versions_are_recorded AFTER UPDATE OF superseded_at
ON public.screening_listversion DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();
CREATE CONSTRAINT TRIGGER ends_of_list_entries_are_recorded AFTER UPDATE OF gone_id
ON public.screening_listentry DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();
CREATE CONSTRAINT TRIGGER keys_of_listed_names_are_recorded AFTER UPDATE OF normal, keys, keys_version
ON public.screening_listname DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.screening_record_lists();

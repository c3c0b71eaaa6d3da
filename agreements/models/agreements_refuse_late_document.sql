CREATE FUNCTION public.agreements_refuse_late_document() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.agreements_revision
    WHERE id = NEW.revision_id AND signed_set_sha256 <> '') THEN
    RAISE EXCEPTION 'what was signed gets no further document'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_was_signed_gets_no_document BEFORE INSERT ON public.agreements_document
FOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_document();

CREATE FUNCTION public.audit_refuse_unknown_head() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.count = 0 AND NEW.hash = repeat('0', 64) OR EXISTS (
    SELECT FROM public.audit_link AS link
    WHERE link.chain = NEW.chain AND link.seq = NEW.count AND link.hash = NEW.hash
  ) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the chain never ended there'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_published_head_was_one BEFORE INSERT ON public.audit_published_head
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unknown_head();

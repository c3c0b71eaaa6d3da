-- Deferred to the commit: entries are linked in the order of commits, without gaps or forks,
-- and the head is locked only briefly.
CREATE FUNCTION public.audit_link_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head public.audit_head%ROWTYPE;
  linked text;
BEGIN
  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;
  linked := encode(sha256(convert_to(head.hash || NEW.body, 'UTF8')), 'hex');
  INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)
  VALUES ('main', head.count + 1, NEW.id, head.hash, linked);
  UPDATE public.audit_head SET count = head.count + 1, hash = linked WHERE chain = 'main';
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER audit_entry_is_linked AFTER INSERT ON public.audit_entry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.audit_link_entry();

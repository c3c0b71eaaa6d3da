CREATE FUNCTION public.agreements_require_access() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  revision bigint;
  business bigint;
BEGIN
  IF TG_TABLE_NAME = 'agreements_pack' THEN
    business := NEW.business_id;
  ELSE
    IF TG_TABLE_NAME = 'agreements_receipt' THEN
      SELECT revision_id INTO revision FROM public.agreements_document
      WHERE id = NEW.document_id;
    ELSE
      revision := NEW.revision_id;
    END IF;
    SELECT pack.business_id INTO business FROM public.agreements_pack AS pack
    JOIN public.agreements_revision AS made ON made.pack_id = pack.id WHERE made.id = revision;
  END IF;
  PERFORM public.accounts_require_access(business, TG_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER who_gets_a_pack_has_access BEFORE INSERT ON public.agreements_pack
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_access();
-- Taking an acceptance back, and what stops or ends a pack, stay possible.
CREATE TRIGGER whose_pack_gets_on_has_access BEFORE UPDATE OF status ON public.agreements_pack
FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status NOT IN (
    'quarantined', 'seal_failed', 'returned', 'rejected', 'stale', 'withdrawn', 'expired')
  AND (OLD.status, NEW.status) <> ('ready_to_sign', 'in_review'))
EXECUTE FUNCTION public.agreements_require_access();
CREATE TRIGGER who_accepts_has_access BEFORE INSERT ON public.agreements_receipt
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_access();
CREATE TRIGGER who_signs_has_access BEFORE INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_access();
CREATE TRIGGER who_is_approved_has_access BEFORE INSERT ON public.agreements_decision
FOR EACH ROW WHEN (NEW.verdict <> 'returned')
EXECUTE FUNCTION public.agreements_require_access();

-- One person signs, so the basis of their authority must let them bind the company alone.
CREATE FUNCTION public.agreements_require_authority() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.agreements_revision
    WHERE id = NEW.revision_id AND signatory->>'basis' IN ('sole_director', 'director')) THEN
    RAISE EXCEPTION 'nobody signs a pack whose signatory cannot bind the company alone'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER who_signs_binds_the_company_alone BEFORE INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_authority();
CREATE TRIGGER who_is_approved_bound_the_company_alone
BEFORE INSERT ON public.agreements_decision
FOR EACH ROW WHEN (NEW.verdict <> 'returned')
EXECUTE FUNCTION public.agreements_require_authority();

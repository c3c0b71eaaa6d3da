CREATE FUNCTION public.onboarding_require_act_on_check() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.onboarding_caseact
    WHERE decided_check_id = NEW.id AND kind = 'decide_check' AND outcome = NEW.status
      AND transaction = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'a check that needs a person becomes % by the act of a reviewer', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_that_needs_a_person_has_one
BEFORE UPDATE OF status ON public.onboarding_check
FOR EACH ROW WHEN (OLD.status = 'needs_review' AND NEW.status <> OLD.status)
EXECUTE FUNCTION public.onboarding_require_act_on_check();

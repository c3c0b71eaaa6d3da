CREATE FUNCTION public.onboarding_require_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.decided_by_id = NEW.decided_by_id
     AND OLD.application_id = NEW.application_id THEN
    RETURN NEW;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.onboarding_reviewer
    WHERE application_id = NEW.application_id AND person_id = NEW.decided_by_id
      AND capacity = 'compliance') THEN
    RAISE EXCEPTION 'a check is decided by a reviewer of its case, as compliance'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_is_decided_by_its_reviewer
BEFORE INSERT OR UPDATE OF decided_by_id, application_id ON public.onboarding_check
FOR EACH ROW WHEN (NEW.decided_by_id IS NOT NULL)
EXECUTE FUNCTION public.onboarding_require_reviewer();

CREATE FUNCTION public.agreements_require_tier_of_case() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.tier = OLD.tier THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM public.onboarding_application AS application
    JOIN public.onboarding_assessment AS assessment ON assessment.id = application.assessment_id
    WHERE application.id = NEW.application_id AND assessment.tier = NEW.tier) THEN
    RAISE EXCEPTION 'a pack has the tier of its case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_tier_is_that_of_its_case BEFORE INSERT OR UPDATE OF tier ON public.agreements_pack
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_tier_of_case();

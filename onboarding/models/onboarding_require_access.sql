CREATE FUNCTION public.onboarding_require_access() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  IF TG_TABLE_NAME = 'onboarding_application' THEN
    business := NEW.business_id;
  ELSE
    SELECT business_id INTO business FROM public.onboarding_application
    WHERE id = NEW.application_id;
  END IF;
  PERFORM public.accounts_require_access(business, TG_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER who_applies_has_access BEFORE INSERT ON public.onboarding_application
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_access();
-- The end of a hold only continues the review.
CREATE TRIGGER who_gets_on_has_access BEFORE UPDATE OF status ON public.onboarding_application
FOR EACH ROW WHEN (NEW.status <> OLD.status AND OLD.status <> 'held'
  AND NEW.status IN ('submitted', 'cleared', 'executed'))
EXECUTE FUNCTION public.onboarding_require_access();
CREATE TRIGGER who_answers_has_access BEFORE INSERT ON public.onboarding_answer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_access();
CREATE TRIGGER who_submits_has_access BEFORE INSERT ON public.onboarding_submission
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_access();

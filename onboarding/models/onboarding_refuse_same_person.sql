-- Two accounts of one person do not decide on one case, nor one of them on a case that names the
-- other or of the other's business.
CREATE FUNCTION public.onboarding_refuse_same_person() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  reviewing record := NEW;
  of_business bigint;
BEGIN
  IF TG_TABLE_NAME = 'onboarding_caseact' THEN
    SELECT * INTO reviewing FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;
  END IF;
  SELECT business_id INTO of_business FROM public.onboarding_application
  WHERE id = reviewing.application_id;
  PERFORM FROM public.accounts_business WHERE id = of_business FOR NO KEY UPDATE;
  IF EXISTS (
      SELECT FROM public.onboarding_reviewer AS other
      WHERE other.application_id = reviewing.application_id
        AND other.person_id <> reviewing.person_id
        AND public.accounts_same_person(other.person_id, reviewing.person_id))
    OR EXISTS (
      SELECT FROM public.accounts_participant
      WHERE business_id = of_business AND person_id <> reviewing.person_id
        AND public.accounts_same_person(person_id, reviewing.person_id))
    OR public.onboarding_names(of_business, reviewing.person_id) THEN
    RAISE EXCEPTION 'one person reviews a case with one account, and none that it names'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_reviewer_reviews_with_one_account BEFORE INSERT ON public.onboarding_reviewer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_same_person();
CREATE TRIGGER an_act_is_by_one_account BEFORE INSERT ON public.onboarding_caseact
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_same_person();

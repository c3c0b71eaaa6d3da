-- This and onboarding_refuse_participant lock the business, so both cannot happen at once.
CREATE FUNCTION public.onboarding_refuse_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.onboarding_reviewer AS reviewer
             JOIN public.onboarding_application AS application
               ON application.id = reviewer.application_id
             WHERE application.business_id = NEW.business_id
               AND public.accounts_same_person(reviewer.person_id, NEW.person_id)) THEN
    RAISE EXCEPTION 'who reviewed a case of a business does not take part for it'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_participant_never_reviewed BEFORE INSERT ON public.accounts_participant
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_reviewer();

-- This and onboarding_refuse_reviewer lock the business, so both cannot happen at once.
CREATE FUNCTION public.onboarding_refuse_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  SELECT business_id INTO business FROM public.onboarding_application
  WHERE id = NEW.application_id;
  PERFORM FROM public.accounts_business WHERE id = business FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.accounts_participant
             WHERE business_id = business AND person_id = NEW.person_id) THEN
    RAISE EXCEPTION 'who took part for a business does not review its case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_reviewer_never_took_part BEFORE INSERT ON public.onboarding_reviewer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_participant();

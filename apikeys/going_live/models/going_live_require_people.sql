CREATE FUNCTION public.going_live_require_people() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.onboarding_application
    WHERE id = NEW.application_id AND business_id = NEW.business_id) THEN
    RAISE EXCEPTION 'a request to go live is about an application of its own business'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  FOREACH who IN ARRAY array_remove(
    ARRAY[NEW.requested_by_id, NEW.withdrawn_by_id, NEW.confirmed_by_id], NULL) LOOP
    IF NOT EXISTS (
      SELECT FROM public.accounts_participant
      WHERE business_id = NEW.business_id AND person_id = who) THEN
      RAISE EXCEPTION 'the people of a business ask to go live, withdraw it and confirm it'
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  IF EXISTS (
    SELECT FROM (VALUES (NEW.proposed_by_id, 'account_manager'),
                        (NEW.decided_by_id, 'compliance')) AS judged (person, capacity)
    WHERE judged.person IS NOT NULL AND NOT EXISTS (
      SELECT FROM public.onboarding_reviewer AS reviewer
      WHERE reviewer.application_id = NEW.application_id
        AND reviewer.person_id = judged.person AND reviewer.capacity = judged.capacity)) THEN
    RAISE EXCEPTION 'a request to go live is judged by reviewers of its case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER going_live_is_by_its_people
BEFORE INSERT OR UPDATE ON public.going_live_goliverequest
FOR EACH ROW EXECUTE FUNCTION public.going_live_require_people();

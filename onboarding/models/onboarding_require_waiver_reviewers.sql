CREATE FUNCTION public.onboarding_require_waiver_reviewers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  FOREACH who IN ARRAY array_remove(ARRAY[NEW.proposed_by_id, NEW.decided_by_id], NULL) LOOP
    IF NOT EXISTS (
      SELECT FROM public.onboarding_reviewer AS reviewer
      JOIN public.onboarding_check AS waived ON waived.application_id = reviewer.application_id
      WHERE waived.id = NEW.waived_check_id AND reviewer.person_id = who
        AND reviewer.capacity = 'compliance') THEN
      RAISE EXCEPTION 'a check is waived by reviewers of its case, as compliance'
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER a_waiver_is_by_reviewers_of_its_case
BEFORE INSERT OR UPDATE ON public.onboarding_checkwaiver
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_waiver_reviewers();

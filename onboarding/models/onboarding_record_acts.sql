-- Reviewing a case, and each act on it, has an audit entry of the reviewer about that business.
CREATE FUNCTION public.onboarding_record_acts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  key bigint := CASE TG_TABLE_NAME WHEN 'onboarding_reviewer' THEN to_jsonb(NEW) -> 'id'
    ELSE to_jsonb(NEW) -> 'reviewer_id' END;
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.onboarding_reviewer AS reviewer
    JOIN public.accounts_user AS person ON person.id = reviewer.person_id
    JOIN public.onboarding_application AS application ON application.id = reviewer.application_id
    JOIN public.accounts_business AS business ON business.id = application.business_id
    JOIN public.audit_entries_now(NULL, person.public_id) AS entry
      ON entry.business_id = business.public_id
    WHERE reviewer.id = key
  ) THEN
    RAISE EXCEPTION '% changes together with an audit entry of the reviewer', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER reviewers_are_recorded AFTER INSERT ON public.onboarding_reviewer
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.onboarding_record_acts();
CREATE CONSTRAINT TRIGGER acts_on_a_case_are_recorded AFTER INSERT ON public.onboarding_caseact
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.onboarding_record_acts();

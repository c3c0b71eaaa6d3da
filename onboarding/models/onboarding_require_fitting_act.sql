CREATE FUNCTION public.onboarding_require_fitting_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  acted record;
BEGIN
  SELECT application_id, capacity INTO acted
  FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;
  IF (CASE
      WHEN NEW.kind IN ('approve', 'send_back')
        THEN acted.capacity IN ('compliance', 'commercial', 'legal')
      WHEN NEW.kind IN ('accept_authority', 'refuse_authority') THEN acted.capacity = 'legal'
      WHEN NEW.kind = 'countersign' THEN acted.capacity = 'countersignatory'
      WHEN NEW.kind = 'propose_live' THEN acted.capacity = 'account_manager'
      ELSE acted.capacity = 'compliance' END) IS NOT TRUE
    OR NOT (NEW.decided_check_id IS NULL OR EXISTS (
      SELECT FROM public.onboarding_check
      WHERE id = NEW.decided_check_id AND application_id = acted.application_id)) THEN
    RAISE EXCEPTION 'an act is one of its reviewer''s capacity, on their own case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  NEW.transaction := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER an_act_is_of_its_capacity BEFORE INSERT ON public.onboarding_caseact
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_fitting_act();

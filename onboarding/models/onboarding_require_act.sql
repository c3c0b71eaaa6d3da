CREATE FUNCTION public.onboarding_require_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kinds text[];
BEGIN
  kinds := CASE
    WHEN NEW.status = 'returned' THEN ARRAY['return', 'send_back', 'refuse_authority']
    WHEN NEW.status = 'declined' THEN ARRAY['decline']
    WHEN NEW.status = 'submitted' AND OLD.status = 'held' THEN ARRAY['release']
    -- The system clears cases that need no reviewer.
    WHEN NEW.status = 'cleared' AND EXISTS (
      SELECT FROM public.onboarding_assessment
      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM')) THEN ARRAY['clear'] END;
  IF kinds IS NOT NULL AND NOT EXISTS (
    SELECT FROM public.onboarding_caseact AS act
    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id
    WHERE reviewer.application_id = NEW.id AND act.kind = ANY (kinds)
      AND act.transaction = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'an application becomes % by the act of a reviewer', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_is_judged_has_its_act
BEFORE UPDATE OF status ON public.onboarding_application
FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION public.onboarding_require_act();

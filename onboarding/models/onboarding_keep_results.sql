-- A provider's result is written as a check finishes; a simulated one may be removed while it
-- waits for a reviewer. Running a check again clears `finished_at`.
CREATE FUNCTION public.onboarding_keep_results() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.status <> 'running' AND NOT (OLD.status = 'needs_review' AND OLD.simulated)
    AND (OLD.provider, OLD.simulated, OLD.says, OLD.evidence, OLD.reference, OLD.finished_at)
      IS DISTINCT FROM (NEW.provider, NEW.simulated, NEW.says, NEW.evidence,
        CASE NEW.status WHEN 'running' THEN OLD.reference ELSE NEW.reference END,
        COALESCE(NEW.finished_at, OLD.finished_at))
    OR NEW.status = OLD.status AND NEW.valid_until IS DISTINCT FROM OLD.valid_until
  THEN
    RAISE EXCEPTION 'the result of a check that is % never changes', OLD.status
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER results_of_checks_are_kept BEFORE UPDATE ON public.onboarding_check
FOR EACH ROW EXECUTE FUNCTION public.onboarding_keep_results();

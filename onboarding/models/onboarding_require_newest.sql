-- An application has its newest submission, and the newest assessment of that.
CREATE FUNCTION public.onboarding_require_newest() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.onboarding_submission AS had, public.onboarding_submission AS newer
    WHERE had.id = NEW.submission_id AND newer.application_id = NEW.id
      AND newer.number > had.number)
    OR EXISTS (
    SELECT FROM public.onboarding_assessment AS had
    LEFT JOIN public.onboarding_assessment AS newer
      ON newer.application_id = NEW.id AND newer.number > had.number
    WHERE had.id = NEW.assessment_id
      AND (newer.id IS NOT NULL OR had.submission_id IS DISTINCT FROM NEW.submission_id))
  THEN
    RAISE EXCEPTION 'an application has its newest submission, and the newest assessment of that'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_is_reviewed_is_the_newest
BEFORE UPDATE OF submission_id, assessment_id ON public.onboarding_application
FOR EACH ROW WHEN (
  OLD.submission_id IS DISTINCT FROM NEW.submission_id
  OR OLD.assessment_id IS DISTINCT FROM NEW.assessment_id)
EXECUTE FUNCTION public.onboarding_require_newest();

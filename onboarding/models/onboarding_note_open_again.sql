CREATE FUNCTION public.onboarding_note_open_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'onboarding_check' THEN
    UPDATE public.onboarding_application AS application SET open_again = NOT open_again
    WHERE id = NEW.application_id AND status IN ('cleared', 'executed')
      AND open_again <> EXISTS (
        SELECT FROM public.onboarding_check AS other
        WHERE other.submission_id = application.submission_id
          AND other.status IN ('failed', 'needs_review'));
    RETURN NULL;
  END IF;
  IF NEW.status IN ('cleared', 'executed') AND OLD.status NOT IN ('cleared', 'executed') THEN
    -- Wait for results that are being written, because EXISTS does not see them yet.
    PERFORM FROM public.onboarding_check WHERE submission_id = NEW.submission_id FOR SHARE;
  END IF;
  NEW.open_again := NEW.status IN ('cleared', 'executed') AND EXISTS (
    SELECT FROM public.onboarding_check
    WHERE submission_id = NEW.submission_id AND status IN ('failed', 'needs_review'));
  RETURN NEW;
END $$;
CREATE TRIGGER an_application_says_what_is_open_again
BEFORE UPDATE ON public.onboarding_application
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_open_again();
CREATE TRIGGER a_check_tells_its_application
AFTER INSERT OR UPDATE OF status ON public.onboarding_check
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_open_again();

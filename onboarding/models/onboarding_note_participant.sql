CREATE FUNCTION public.onboarding_note_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
  who bigint;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;
  SELECT business_id INTO business FROM public.onboarding_application
  WHERE id = NEW.application_id;
  PERFORM public.accounts_note_participant(business, who);
  RETURN NEW;
END $$;
CREATE TRIGGER who_answers_is_a_participant AFTER INSERT ON public.onboarding_answer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('by_id');
CREATE TRIGGER who_submits_is_a_participant AFTER INSERT ON public.onboarding_submission
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('submitted_by_id');

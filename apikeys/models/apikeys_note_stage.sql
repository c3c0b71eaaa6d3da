CREATE FUNCTION public.apikeys_note_stage() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  changed bigint;
  stage_now text;
BEGIN
  IF TG_TABLE_NAME = 'accounts_business' THEN
    changed := NEW.id;
  ELSE
    changed := NEW.business_id;
  END IF;
  INSERT INTO public.apikeys_stagedbusiness (business_id, stage) VALUES (changed, 'new')
  ON CONFLICT DO NOTHING;
  -- Two changes of one business wait for each other here. The next statement sees both.
  PERFORM FROM public.apikeys_stagedbusiness WHERE business_id = changed FOR NO KEY UPDATE;
  stage_now := public.apikeys_stage_of(changed);
  UPDATE public.apikeys_stagedbusiness SET stage = stage_now
  WHERE business_id = changed AND stage <> stage_now;
  RETURN NULL;
END $$;
CREATE TRIGGER a_business_begins_with_a_stage
AFTER INSERT ON public.accounts_business
FOR EACH ROW EXECUTE FUNCTION public.apikeys_note_stage();
-- At commit, so that nobody who holds this row waits for other rows.
CREATE CONSTRAINT TRIGGER an_application_moves_its_business
AFTER INSERT OR UPDATE OF status ON public.onboarding_application
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.apikeys_note_stage();
CREATE CONSTRAINT TRIGGER a_pack_moves_its_business
AFTER INSERT OR UPDATE OF status ON public.agreements_pack
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.apikeys_note_stage();
CREATE CONSTRAINT TRIGGER a_grant_moves_its_business
AFTER INSERT OR UPDATE OF status ON public.apikeys_grant
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.apikeys_note_stage();

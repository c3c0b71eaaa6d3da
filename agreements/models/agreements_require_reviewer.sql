CREATE FUNCTION public.agreements_require_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.agreements_revision AS revision
    JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
    JOIN public.onboarding_reviewer AS reviewer
      ON reviewer.application_id = pack.application_id
    WHERE revision.id = NEW.revision_id AND reviewer.person_id = NEW.person_id
      AND reviewer.capacity = NEW.role) THEN
    RAISE EXCEPTION 'a pack is decided on by a reviewer of its case, in their one capacity'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_decision_is_its_reviewers BEFORE INSERT ON public.agreements_decision
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_reviewer();

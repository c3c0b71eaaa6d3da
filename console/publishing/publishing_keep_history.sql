CREATE FUNCTION public.publishing_keep_history() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wrong text := '';
BEGIN
  IF TG_OP = 'DELETE' THEN
    wrong := 'is kept';
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD.in_use_from IS NOT NULL OR OLD.withdrawn_at IS NOT NULL THEN
      wrong := 'never changes once it was put in use or withdrawn';
    ELSIF (NEW.id, NEW.public_id, NEW.kind, NEW.version, NEW.sha256, NEW.proposed_by_id,
           NEW.proposed_at)
      IS DISTINCT FROM (OLD.id, OLD.public_id, OLD.kind, OLD.version, OLD.sha256,
                        OLD.proposed_by_id, OLD.proposed_at) THEN
      wrong := 'is put in use or withdrawn as it was proposed';
    END IF;
  ELSIF NEW.proposed_by_id IS NOT NULL
    AND (NEW.in_use_from IS NOT NULL OR NEW.withdrawn_at IS NOT NULL) THEN
    wrong := 'begins as a proposal';
  END IF;
  IF wrong = '' AND TG_OP <> 'DELETE' AND NEW.in_use_from IS NOT NULL THEN
    IF EXISTS (SELECT FROM public.publishing_publication AS earlier
               WHERE earlier.kind = NEW.kind AND earlier.in_use_from IS NOT NULL
                 AND (NEW.proposed_by_id IS NULL OR earlier.in_use_from >= NEW.in_use_from)) THEN
      wrong := 'comes after what was put in use before it';
    ELSIF EXISTS (SELECT FROM public.publishing_publication AS earlier
                  WHERE earlier.kind = NEW.kind AND earlier.version = NEW.version
                    AND earlier.in_use_from IS NOT NULL AND earlier.sha256 <> NEW.sha256) THEN
      wrong := 'is one file for ever';
    END IF;
  END IF;
  IF wrong <> '' THEN
    RAISE EXCEPTION 'a published version %', wrong
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_was_in_use_is_kept
BEFORE INSERT OR UPDATE OR DELETE ON public.publishing_publication
FOR EACH ROW EXECUTE FUNCTION public.publishing_keep_history();

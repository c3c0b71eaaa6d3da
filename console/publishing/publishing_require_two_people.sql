CREATE FUNCTION public.publishing_require_two_people() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF public.accounts_same_person(NEW.proposed_by_id, NEW.put_in_use_by_id) THEN
    RAISE EXCEPTION 'two people put a version in use, and not one with two accounts'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER two_mailboxes_put_a_version_in_use
BEFORE UPDATE OF put_in_use_by_id ON public.publishing_publication
FOR EACH ROW WHEN (NEW.put_in_use_by_id <> NEW.proposed_by_id)
EXECUTE FUNCTION public.publishing_require_two_people();

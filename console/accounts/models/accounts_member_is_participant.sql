CREATE FUNCTION public.accounts_member_is_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.business_id IS NOT NULL THEN
    PERFORM public.accounts_note_participant(NEW.business_id, NEW.user_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_member_is_a_participant
AFTER INSERT OR UPDATE OF user_id, business_id ON public.accounts_membership
FOR EACH ROW EXECUTE FUNCTION public.accounts_member_is_participant();

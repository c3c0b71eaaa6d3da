"""Who ever belonged to a business is kept, whatever way they joined."""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.accounts_note_participant(business bigint, who bigint)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.accounts_participant
                 WHERE business_id = business AND person_id = who) THEN
    INSERT INTO public.accounts_participant (business_id, person_id, since)
    VALUES (business, who, now()) ON CONFLICT (business_id, person_id) DO NOTHING;
  END IF;
END $$;
CREATE OR REPLACE FUNCTION public.accounts_member_is_participant() RETURNS trigger
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
"""

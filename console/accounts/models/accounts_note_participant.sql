-- Rules of onboarding and agreements call this too.
CREATE FUNCTION public.accounts_note_participant(business bigint, who bigint)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.accounts_participant
                 WHERE business_id = business AND person_id = who) THEN
    INSERT INTO public.accounts_participant (business_id, person_id, since)
    VALUES (business, who, now()) ON CONFLICT (business_id, person_id) DO NOTHING;
  END IF;
END $$;

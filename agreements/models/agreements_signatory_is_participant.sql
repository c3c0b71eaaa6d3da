CREATE FUNCTION public.agreements_signatory_is_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  SELECT pack.business_id INTO business FROM public.agreements_revision AS revision
  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
  WHERE revision.id = NEW.revision_id;
  PERFORM public.accounts_note_participant(business, NEW.person_id);
  RETURN NEW;
END $$;
CREATE TRIGGER who_signs_is_a_participant AFTER INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_signatory_is_participant();

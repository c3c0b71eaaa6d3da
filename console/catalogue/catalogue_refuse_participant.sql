CREATE FUNCTION public.catalogue_refuse_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;
  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.accounts_participant
             WHERE business_id = NEW.business_id
               AND public.accounts_same_person(person_id, who)) THEN
    RAISE EXCEPTION 'who took part for a business decides nothing about its products'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_product_is_decided_by_an_outsider
BEFORE INSERT OR UPDATE OF status, by_id ON public.catalogue_businessproduct
FOR EACH ROW WHEN (NEW.by_id IS NOT NULL AND NEW.status IN ('approved', 'withdrawn'))
EXECUTE FUNCTION public.catalogue_refuse_participant('by_id');
CREATE TRIGGER a_module_is_set_by_an_outsider
BEFORE INSERT OR UPDATE OF hand, hand_by_id ON public.catalogue_modulesetting
FOR EACH ROW WHEN (NEW.hand_by_id IS NOT NULL)
EXECUTE FUNCTION public.catalogue_refuse_participant('hand_by_id');

"""What a business is given and refused is decided by outsiders, and by one column at a time.

- Who ever belonged to a business neither approves or withdraws its products, nor sets a module of
  it by hand.
- One statement never changes both what a module is by itself and what it is by hand: the sync
  writes the one, the account team the other.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.catalogue_refuse_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;
  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.accounts_participant
             WHERE business_id = NEW.business_id AND person_id = who) THEN
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

CREATE OR REPLACE FUNCTION public.catalogue_refuse_mixed_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'one statement changes a module by itself or by hand, never both'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
CREATE TRIGGER a_sync_never_changes_a_hand_setting
BEFORE UPDATE ON public.catalogue_modulesetting FOR EACH ROW
WHEN (
  (OLD.automatic, OLD.automatic_since) IS DISTINCT FROM (NEW.automatic, NEW.automatic_since)
  AND (OLD.hand, OLD.hand_by_id, OLD.hand_at, OLD.hand_reason)
    IS DISTINCT FROM (NEW.hand, NEW.hand_by_id, NEW.hand_at, NEW.hand_reason))
EXECUTE FUNCTION public.catalogue_refuse_mixed_change();
"""

-- Money of a business moves together with an audit entry about that business.
CREATE FUNCTION public.ledger_require_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.audit_entries_now(NULL, NULL) AS entry
    JOIN public.accounts_business AS business ON business.public_id = entry.business_id
    WHERE business.id = NEW.business_id) THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'money moves together with an audit entry about its business'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;
CREATE CONSTRAINT TRIGGER movements_of_money_are_recorded AFTER INSERT
ON public.sandbox_ledgerentry DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.ledger_require_entry();

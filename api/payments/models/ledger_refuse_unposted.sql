CREATE FUNCTION public.ledger_refuse_unposted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only ledger entries move a balance'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_balance_moves_by_entries
BEFORE UPDATE OF available, pending, reserved, day, in_on_day, out_on_day ON public.sandbox_balance
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION public.ledger_refuse_unposted();
CREATE TRIGGER a_balance_opens_empty BEFORE INSERT ON public.sandbox_balance
FOR EACH ROW WHEN (NEW.available <> 0 OR NEW.pending <> 0 OR NEW.reserved <> 0
  OR NEW.day IS NOT NULL OR NEW.in_on_day <> 0 OR NEW.out_on_day <> 0)
EXECUTE FUNCTION public.ledger_refuse_unposted();

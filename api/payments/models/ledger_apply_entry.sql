CREATE FUNCTION public.ledger_apply_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  today date := (NEW.created_at AT TIME ZONE 'UTC')::date;
BEGIN
  UPDATE public.sandbox_balance SET
    available = available + NEW.amount
      * ((NEW.to_account = 'available')::int - (NEW.from_account = 'available')::int),
    pending = pending + NEW.amount
      * ((NEW.to_account = 'pending')::int - (NEW.from_account = 'pending')::int),
    reserved = reserved + NEW.amount
      * ((NEW.to_account = 'reserved')::int - (NEW.from_account = 'reserved')::int),
    day = today,
    in_on_day = CASE WHEN day = today THEN in_on_day ELSE 0 END
      + NEW.amount * (NEW.from_account = 'external')::int,
    out_on_day = CASE WHEN day = today THEN out_on_day ELSE 0 END
      + NEW.amount * (NEW.to_account = 'external')::int
  WHERE id = NEW.balance_id AND business_id = NEW.business_id AND environment = NEW.environment
    AND currency = NEW.currency AND stopped_at IS NULL AND removed_at IS NULL
  RETURNING available + pending + reserved INTO NEW.total_after;
  IF FOUND THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a ledger entry belongs to a balance of its own that is open and not stopped'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_ledger_entry_is_applied BEFORE INSERT ON public.sandbox_ledgerentry
FOR EACH ROW EXECUTE FUNCTION public.ledger_apply_entry();

"""A balance is the sum of its entries: each entry is applied as it is written, and nothing else.

The site can add entries. It cannot change or remove one, nor write the amounts of a balance, nor
open a balance that already holds something. A balance that is stopped takes no entry.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.ledger_apply_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE public.sandbox_balance SET
    available = available + NEW.amount
      * ((NEW.to_account = 'available')::int - (NEW.from_account = 'available')::int),
    pending = pending + NEW.amount
      * ((NEW.to_account = 'pending')::int - (NEW.from_account = 'pending')::int),
    reserved = reserved + NEW.amount
      * ((NEW.to_account = 'reserved')::int - (NEW.from_account = 'reserved')::int)
  WHERE id = NEW.balance_id AND business_id = NEW.business_id AND environment = NEW.environment
    AND currency = NEW.currency AND stopped_at IS NULL AND removed_at IS NULL
  RETURNING available + pending + reserved INTO NEW.total_after;
  IF FOUND THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a ledger entry belongs to a balance of its own that is open and not stopped'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_ledger_entry_is_applied BEFORE INSERT ON public.sandbox_ledgerentry
FOR EACH ROW EXECUTE FUNCTION public.ledger_apply_entry();

CREATE OR REPLACE FUNCTION public.ledger_refuse_unposted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'only ledger entries move a balance'
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER a_balance_moves_by_entries
BEFORE UPDATE OF available, pending, reserved ON public.sandbox_balance
FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION public.ledger_refuse_unposted();
CREATE TRIGGER a_balance_opens_empty BEFORE INSERT ON public.sandbox_balance
FOR EACH ROW WHEN (NEW.available <> 0 OR NEW.pending <> 0 OR NEW.reserved <> 0)
EXECUTE FUNCTION public.ledger_refuse_unposted();
"""

-- The sync writes the automatic setting; our account team writes the manual one.
CREATE FUNCTION public.catalogue_refuse_mixed_change() RETURNS trigger
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

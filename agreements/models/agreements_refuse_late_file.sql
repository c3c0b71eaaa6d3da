-- Files are added by the transaction that executes their pack, and never later.
CREATE FUNCTION public.agreements_refuse_late_file() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  wanted text := CASE TG_WHEN WHEN 'BEFORE' THEN 'countersigning' ELSE 'executed' END;
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.agreements_pack WHERE id = NEW.pack_id AND status = wanted) THEN
    RAISE EXCEPTION 'files of a pack are added as it is executed'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER an_executed_pack_gets_no_file BEFORE INSERT ON public.agreements_executedfile
FOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_file();
CREATE CONSTRAINT TRIGGER files_are_of_an_executed_pack AFTER INSERT
ON public.agreements_executedfile DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_file();

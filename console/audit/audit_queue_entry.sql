-- The row is visible once the entry's transaction commits, so entries that commit late are linked
-- late, and none is skipped.
CREATE FUNCTION public.audit_queue_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO public.audit_unlinked (entry_id, transaction)
  VALUES (NEW.id, pg_current_xact_id()::text::bigint);
  RETURN NULL;
END $$;

CREATE TRIGGER audit_entry_is_queued AFTER INSERT ON public.audit_entry
FOR EACH ROW EXECUTE FUNCTION public.audit_queue_entry();

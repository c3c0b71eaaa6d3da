CREATE FUNCTION public.audit_refuse() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'audit entries never change' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_entry_never_changes BEFORE UPDATE OR DELETE ON public.audit_entry
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse();
CREATE TRIGGER audit_entry_is_never_emptied BEFORE TRUNCATE ON public.audit_entry
FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse();
CREATE TRIGGER audit_link_never_changes BEFORE UPDATE OR DELETE ON public.audit_link
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse();
CREATE TRIGGER audit_link_is_never_emptied BEFORE TRUNCATE ON public.audit_link
FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse();

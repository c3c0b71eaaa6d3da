"""The log can be written, and read, and nothing else; and every entry is linked when it commits."""

from django.db import migrations

# The link is written by a deferred constraint trigger, so chain order is commit order: no unsealed
# window, no gap and no fork from a rolled-back entry, and the head is locked only at the very end.
FORWARD = """
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

CREATE FUNCTION public.audit_link_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head public.audit_head%ROWTYPE;
  linked text;
BEGIN
  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;
  linked := encode(sha256(convert_to(head.hash || NEW.body, 'UTF8')), 'hex');
  INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)
  VALUES ('main', head.count + 1, NEW.id, head.hash, linked);
  UPDATE public.audit_head SET count = head.count + 1, hash = linked WHERE chain = 'main';
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER audit_entry_is_linked AFTER INSERT ON public.audit_entry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.audit_link_entry();

INSERT INTO public.audit_head (chain, count, hash) VALUES ('main', 0, repeat('0', 64));

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    REVOKE UPDATE, DELETE ON public.audit_entry FROM site;
    REVOKE INSERT, UPDATE, DELETE ON public.audit_link, public.audit_head FROM site;
  END IF;
END $$;
"""

BACKWARD = """
DROP TRIGGER audit_entry_is_linked ON public.audit_entry;
DROP FUNCTION public.audit_link_entry;
DROP TRIGGER audit_entry_never_changes ON public.audit_entry;
DROP TRIGGER audit_entry_is_never_emptied ON public.audit_entry;
DROP TRIGGER audit_link_never_changes ON public.audit_link;
DROP TRIGGER audit_link_is_never_emptied ON public.audit_link;
DROP FUNCTION public.audit_refuse;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]

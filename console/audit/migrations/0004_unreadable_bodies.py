"""An entry whose body cannot be read, or says something else than its columns, is refused.

And a head can only be published that the chain had: a forged one would cry wolf for ever.
"""

from django.db import migrations

FORWARD = """
CREATE FUNCTION public.audit_refuse_unreadable() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := NEW.body::jsonb;
  said jsonb := whole -> 'body';
BEGIN
  IF NEW.at >= '2000-01-01' AND NEW.at < '10000-01-01'
    AND whole ->> '_type' = 'console.audit.entry.v1'
    AND said ->> 'id' = NEW.public_id
    AND said ->> 'at' = to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')
    AND said ->> 'code' = NEW.code
    AND said #>> '{actor,id}' = NEW.actor_id
    AND said #>> '{actor,name}' = NEW.actor_name
    AND said ->> 'business' = NEW.business_id
    AND said #>> '{subject,type}' = NEW.subject_type
    AND said #>> '{subject,id}' = NEW.subject_id
    AND said #>> '{request,id}' = NEW.request_id
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the body of an audit entry does not say what its columns say'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_entry_is_readable BEFORE INSERT ON public.audit_entry
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unreadable();

CREATE FUNCTION public.audit_refuse_unknown_head() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.count = 0 AND NEW.hash = repeat('0', 64) OR EXISTS (
    SELECT FROM public.audit_link AS link
    WHERE link.chain = NEW.chain AND link.seq = NEW.count AND link.hash = NEW.hash
  ) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the chain never ended there'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_published_head_was_one BEFORE INSERT ON public.audit_published_head
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unknown_head();

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    REVOKE UPDATE, DELETE ON public.audit_published_head, public.audit_chain_check FROM site;
  END IF;
END $$;
"""

BACKWARD = """
DROP TRIGGER audit_published_head_was_one ON public.audit_published_head;
DROP FUNCTION public.audit_refuse_unknown_head;
DROP TRIGGER audit_entry_is_readable ON public.audit_entry;
DROP FUNCTION public.audit_refuse_unreadable;
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_published_heads")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]

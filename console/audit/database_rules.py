"""The log is written and read, and nothing else; every entry is linked when it commits.

The link is written by a deferred constraint trigger, so chain order is commit order: no unsealed
window, no gap and no fork from a rolled-back entry, and the head is locked only at the very end.
An entry whose body cannot be read, or says something else than its columns, is refused; and a head
can only be published that the chain had.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.audit_refuse() RETURNS trigger
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

CREATE OR REPLACE FUNCTION public.audit_link_entry() RETURNS trigger
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

CREATE OR REPLACE FUNCTION public.audit_refuse_unreadable() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := NEW.body::jsonb;
  said jsonb := whole -> 'body';
BEGIN
  -- What a reader must find is text: the number 5 is not the text "5".
  IF NEW.at >= '2000-01-01' AND NEW.at < '10000-01-01'
    AND whole -> '_type' = '"console.audit.entry.v1"'
    AND said -> 'id' = to_jsonb(NEW.public_id)
    AND said ->> 'at' = to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')
    AND said -> 'code' = to_jsonb(NEW.code)
    AND said #> '{actor,id}' = to_jsonb(NEW.actor_id)
    AND said #> '{actor,name}' = to_jsonb(NEW.actor_name)
    AND said -> 'business' = to_jsonb(NEW.business_id)
    AND said #> '{subject,type}' = to_jsonb(NEW.subject_type)
    AND said #> '{subject,id}' = to_jsonb(NEW.subject_id)
    AND said #> '{request,id}' = to_jsonb(NEW.request_id)
    -- Every reader knows these numbers alone, and none follows a nesting without end.
    AND NOT whole @? '$.** ? (@.type() == "number" &&
      (@ > 9007199254740991 || @ < -9007199254740991 || @.floor() != @))'
    AND NOT whole @? '$.**{32}'
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the body of an audit entry does not say what its columns say'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_entry_is_readable BEFORE INSERT ON public.audit_entry
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unreadable();

CREATE OR REPLACE FUNCTION public.audit_refuse_unknown_head() RETURNS trigger
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
"""

CREATE FUNCTION public.audit_refuse_unreadable() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  format constant text := 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"';
  stated text := to_char(NEW.at AT TIME ZONE 'UTC', format);
  dated text;
  whole jsonb;
  said jsonb;
BEGIN
  NEW.at := public.audit_time(NEW.at);
  dated := to_char(NEW.at AT TIME ZONE 'UTC', format);
  NEW.body := replace(NEW.body, '"at":"' || stated || '"', '"at":"' || dated || '"');
  whole := NEW.body::jsonb;
  said := whole -> 'body';
  -- Searched values must be text: the number 5 is not the text "5".
  IF NEW.at >= '2000-01-01' AND NEW.at < '10000-01-01'
    AND whole -> '_type' = '"console.audit.entry.v1"'
    AND said -> 'id' = to_jsonb(NEW.public_id)
    AND said ->> 'at' = dated
    AND said -> 'code' = to_jsonb(NEW.code)
    AND said #> '{actor,id}' = to_jsonb(NEW.actor_id)
    AND said #> '{actor,name}' = to_jsonb(NEW.actor_name)
    AND said -> 'business' = to_jsonb(NEW.business_id)
    AND said #> '{subject,type}' = to_jsonb(NEW.subject_type)
    AND said #> '{subject,id}' = to_jsonb(NEW.subject_id)
    AND said #> '{request,id}' = to_jsonb(NEW.request_id)
    -- Not every reader of JSON knows other numbers, or unlimited nesting.
    AND NOT whole @? '$.** ? (@.type() == "number" &&
      (@ > 9007199254740991 || @ < -9007199254740991 || @.floor() != @))'
    AND NOT whole @? '$.**{32}'
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the body of an audit entry does not say what its columns say'
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_entry_is_readable BEFORE INSERT ON public.audit_entry
FOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unreadable();

-- A signature or decision is what its file says, and has an audit entry of its person with the hash
-- of the file. The argument is the column of that hash.
CREATE FUNCTION public.agreements_bind_acts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole jsonb := to_jsonb(NEW);
  sha256 text := whole ->> TG_ARGV[0];
  said jsonb := NEW.body::jsonb -> 'body';
  who text;
  about record;
BEGIN
  SELECT public_id INTO who FROM public.accounts_user WHERE id = NEW.person_id;
  SELECT pack.public_id, pack.number, revision.signed_set_sha256, revision.offer_sha256 INTO about
  FROM public.agreements_revision AS revision
  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
  WHERE revision.id = NEW.revision_id;
  IF (encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex') = sha256
    AND said #>> '{person,id}' = who AND said ->> 'pack' = about.number
    AND COALESCE(said ->> 'signed_set_sha256', about.signed_set_sha256) = about.signed_set_sha256
    AND COALESCE(said ->> 'offer_sha256', about.offer_sha256) = about.offer_sha256
    AND NOT EXISTS (
      SELECT FROM jsonb_each_text(said) AS member
      WHERE whole ? member.key AND whole ->> member.key IS DISTINCT FROM member.value)
  ) IS NOT TRUE THEN
    RAISE EXCEPTION '% is not what its file says', TG_TABLE_NAME
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.audit_entries_now(about.public_id, who) AS entry
    WHERE entry.body::jsonb #>> ARRAY['body', 'details', TG_ARGV[0]] = sha256
      AND (said ->> 'verdict', said ->> 'role') IS NOT DISTINCT FROM
        (entry.body::jsonb #>> '{body,details,verdict}', entry.body::jsonb #>> '{body,details,role}')
  ) THEN
    RAISE EXCEPTION '% changes together with an audit entry of its person', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER a_decision_is_its_file_and_has_an_entry AFTER INSERT
ON public.agreements_decision DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.agreements_bind_acts('decision_sha256');
CREATE CONSTRAINT TRIGGER a_signature_is_its_file_and_has_an_entry AFTER INSERT
ON public.agreements_signatureact DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.agreements_bind_acts('act_sha256');

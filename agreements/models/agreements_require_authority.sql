-- What lets the signatories of a revision bind the company, and whether enough of them have signed.
CREATE FUNCTION public.agreements_require_authority() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who jsonb;
  revision bigint;
  others bigint;
  needed bigint;
  signed bigint;
BEGIN
  revision := (to_jsonb(NEW) ->> 'revision_id')::bigint;
  SELECT signatory INTO who FROM public.agreements_revision WHERE id = revision;
  others := jsonb_array_length(COALESCE(who->'others', '[]'));
  needed := CASE
    WHEN who->>'basis' IN ('sole_director', 'director') THEN 1
    -- Legal accepted the file that gives a written authority.
    WHEN who->>'basis' = 'authority_document' AND EXISTS (
      SELECT FROM public.agreements_revision AS made
      JOIN public.agreements_pack AS pack ON pack.id = made.pack_id
      JOIN public.onboarding_reviewer AS reviewer ON reviewer.application_id = pack.application_id
      JOIN public.onboarding_caseact AS act ON act.reviewer_id = reviewer.id
      JOIN public.evidence_checkevidence AS relied ON relied.act_id = act.id
      WHERE made.id = revision AND act.kind = 'accept_authority'
        AND relied.sha256 = who->>'authority_sha256') THEN 1
    WHEN who->>'basis' = 'joint_directors' AND others > 0
      THEN CASE who->>'rule' WHEN 'all' THEN others + 1 ELSE 2 END
  END;
  IF needed IS NULL THEN
    RAISE EXCEPTION 'nobody signs a pack whose signatories cannot bind the company'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  IF TG_TABLE_NAME = 'agreements_signatureact' THEN RETURN NEW; END IF;
  SELECT count(DISTINCT act.person_id) INTO signed
  FROM public.agreements_signatureact AS act
  WHERE act.revision_id = revision
    AND lower(act.body::jsonb #>> '{body,person,email}') IN (
      SELECT lower(one->>'email') FROM jsonb_array_elements(
        jsonb_build_array(who) || COALESCE(who->'others', '[]')) AS one);
  IF signed < needed THEN
    RAISE EXCEPTION 'a pack is signed once those who bind the company have signed'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER who_signs_can_bind_the_company BEFORE INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_authority();
CREATE TRIGGER what_is_approved_binds_the_company
BEFORE INSERT ON public.agreements_decision
FOR EACH ROW WHEN (NEW.verdict <> 'returned')
EXECUTE FUNCTION public.agreements_require_authority();
CREATE TRIGGER what_is_signed_binds_the_company BEFORE UPDATE OF status ON public.agreements_pack
FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status IN ('signed', 'in_approval'))
EXECUTE FUNCTION public.agreements_require_authority();

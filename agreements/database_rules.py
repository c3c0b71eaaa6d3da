"""A decision on a pack is a reviewer's, in their one capacity; who signs took part.

- A pack has the tier of its case, and is approved, sent back and countersigned by decisions on its
  revision.
- Taking an acceptance back removes its receipt; what is signed gets no document and no receipt, and
  loses none: it is evidence.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.agreements_require_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.agreements_revision AS revision
    JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
    JOIN public.onboarding_reviewer AS reviewer
      ON reviewer.application_id = pack.application_id
    WHERE revision.id = NEW.revision_id AND reviewer.person_id = NEW.person_id
      AND reviewer.capacity = NEW.role) THEN
    RAISE EXCEPTION 'a pack is decided on by a reviewer of its case, in their one capacity'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_decision_is_its_reviewers BEFORE INSERT ON public.agreements_decision
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_reviewer();

CREATE OR REPLACE FUNCTION public.agreements_signatory_is_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  SELECT pack.business_id INTO business FROM public.agreements_revision AS revision
  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
  WHERE revision.id = NEW.revision_id;
  PERFORM public.accounts_note_participant(business, NEW.person_id);
  RETURN NEW;
END $$;
CREATE TRIGGER who_signs_is_a_participant AFTER INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_signatory_is_participant();

CREATE OR REPLACE FUNCTION public.agreements_keep_receipts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  receipt record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF EXISTS (
    SELECT FROM public.agreements_document AS document
    JOIN public.agreements_revision AS revision ON revision.id = document.revision_id
    WHERE document.id = receipt.document_id AND revision.signed_set_sha256 <> ''
  ) THEN
    RAISE EXCEPTION 'receipts of what was signed are kept, and none is added'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN receipt;
END $$;
CREATE TRIGGER receipts_of_what_was_signed_are_kept
BEFORE INSERT OR DELETE ON public.agreements_receipt
FOR EACH ROW EXECUTE FUNCTION public.agreements_keep_receipts();

CREATE OR REPLACE FUNCTION public.agreements_refuse_late_document() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM public.agreements_revision
    WHERE id = NEW.revision_id AND signed_set_sha256 <> '') THEN
    RAISE EXCEPTION 'what was signed gets no further document'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_was_signed_gets_no_document BEFORE INSERT ON public.agreements_document
FOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_document();

CREATE OR REPLACE FUNCTION public.agreements_require_tier_of_case() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.tier = OLD.tier THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM public.onboarding_application AS application
    JOIN public.onboarding_assessment AS assessment ON assessment.id = application.assessment_id
    WHERE application.id = NEW.application_id AND assessment.tier = NEW.tier) THEN
    RAISE EXCEPTION 'a pack has the tier of its case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_tier_is_that_of_its_case BEFORE INSERT OR UPDATE OF tier ON public.agreements_pack
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_tier_of_case();

CREATE OR REPLACE FUNCTION public.agreements_require_decisions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decided boolean;
BEGIN
  IF NEW.status = 'approved' THEN
    SELECT bool_or(role = 'commercial') AND bool_or(role = 'legal')
      AND count(*) FILTER (WHERE role = 'compliance') >= CASE NEW.tier WHEN 'HIGH' THEN 2 ELSE 1 END
      AND (NEW.tier <> 'HIGH' OR bool_or(role = 'compliance' AND as_head IS NOT FALSE))
    INTO decided
    FROM public.agreements_decision WHERE revision_id = NEW.revision_id AND verdict = 'approved';
  ELSE
    SELECT count(*) > 0 INTO decided FROM public.agreements_decision
    WHERE revision_id = NEW.revision_id
      AND verdict = CASE NEW.status WHEN 'returned' THEN 'returned' ELSE 'countersigned' END;
  END IF;
  IF decided IS NOT TRUE THEN
    RAISE EXCEPTION 'a pack becomes % by the decisions on its revision', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_pack_is_decided_by_its_approvers BEFORE UPDATE OF status ON public.agreements_pack
FOR EACH ROW WHEN (
  NEW.status <> OLD.status AND NEW.status IN ('approved', 'returned', 'countersigning'))
EXECUTE FUNCTION public.agreements_require_decisions();
"""

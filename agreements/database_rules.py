"""A decision on a pack is a reviewer's, in their one capacity; who signs took part.

Taking an acceptance back removes its receipt; once the offer is signed, it is evidence.
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
BEGIN
  IF EXISTS (
    SELECT FROM public.agreements_document AS document
    JOIN public.agreements_revision AS revision ON revision.id = document.revision_id
    WHERE document.id = OLD.document_id AND revision.signed_set_sha256 <> ''
  ) THEN
    RAISE EXCEPTION 'receipts of what was signed are kept'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER receipts_of_what_was_signed_are_kept BEFORE DELETE ON public.agreements_receipt
FOR EACH ROW EXECUTE FUNCTION public.agreements_keep_receipts();
"""

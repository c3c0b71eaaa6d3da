-- Taking an acceptance back removes its receipt, until somebody signs. Others may still accept then.
CREATE FUNCTION public.agreements_keep_receipts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  receipt record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF EXISTS (
    SELECT FROM public.agreements_document AS document
    JOIN public.agreements_revision AS revision ON revision.id = document.revision_id
    WHERE document.id = receipt.document_id AND (
      revision.signed_set_sha256 <> '' OR TG_OP = 'DELETE' AND EXISTS (
        SELECT FROM public.agreements_signatureact AS act WHERE act.revision_id = revision.id))
  ) THEN
    RAISE EXCEPTION 'receipts of what was signed are kept, and none is added'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN receipt;
END $$;
CREATE TRIGGER receipts_of_what_was_signed_are_kept
BEFORE INSERT OR DELETE ON public.agreements_receipt
FOR EACH ROW EXECUTE FUNCTION public.agreements_keep_receipts();

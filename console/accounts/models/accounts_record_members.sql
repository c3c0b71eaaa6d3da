-- Who gets, changes or loses a role in a business has an audit entry about it, and so has who loses
-- one on our staff.
CREATE FUNCTION public.accounts_record_members() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  member public.accounts_membership := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  person text;
  business text;
BEGIN
  SELECT public_id INTO person FROM public.accounts_user WHERE id = member.user_id;
  SELECT public_id INTO business FROM public.accounts_business WHERE id = member.business_id;
  IF NOT EXISTS (
    SELECT FROM public.audit_entries_now(NULL, NULL) AS entry
    WHERE entry.business_id = COALESCE(business, '')
      AND entry.subject_id IN (person, business, member.public_id)) THEN
    RAISE EXCEPTION '% changes together with an audit entry about the member', TG_TABLE_NAME
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER members_are_recorded AFTER INSERT OR UPDATE OR DELETE
ON public.accounts_membership DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION public.accounts_record_members();

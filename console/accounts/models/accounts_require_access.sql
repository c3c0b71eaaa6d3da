-- Rules of onboarding, agreements and apikeys call this too, each with its own name.
CREATE FUNCTION public.accounts_require_access(business bigint, rule name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  found text;
BEGIN
  -- A suspension at the same moment waits, or this waits for it.
  SELECT status INTO found FROM public.accounts_business WHERE id = business FOR NO KEY UPDATE;
  IF found <> 'active' THEN
    RAISE EXCEPTION 'a business that is % takes no step towards a contract or a key', found
      USING ERRCODE = 'check_violation', CONSTRAINT = rule;
  END IF;
END $$;

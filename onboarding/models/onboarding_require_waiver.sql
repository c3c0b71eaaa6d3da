CREATE FUNCTION public.onboarding_require_waiver() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.onboarding_checkwaiver
    WHERE waived_check_id = NEW.id AND confirmed AND ends_at = NEW.valid_until) THEN
    RAISE EXCEPTION 'a check is waived by two people, until the end that they set'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_is_waived_by_two
BEFORE INSERT OR UPDATE OF status, valid_until ON public.onboarding_check
FOR EACH ROW WHEN (NEW.status = 'waived') EXECUTE FUNCTION public.onboarding_require_waiver();

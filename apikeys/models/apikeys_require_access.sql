CREATE FUNCTION public.apikeys_require_access() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  IF TG_TABLE_NAME = 'apikeys_grant' THEN
    business := NEW.business_id;
  ELSE
    SELECT business_id INTO business FROM public.apikeys_grant WHERE id = NEW.grant_id;
  END IF;
  PERFORM public.accounts_require_access(business, TG_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER whose_grant_opens_has_access
BEFORE UPDATE OF status, live_products ON public.apikeys_grant
FOR EACH ROW WHEN (NEW.status = 'open'
  AND (OLD.status <> 'open' OR NOT NEW.live_products <@ OLD.live_products))
EXECUTE FUNCTION public.apikeys_require_access();
CREATE TRIGGER who_gets_a_key_has_access BEFORE INSERT ON public.apikeys_apikey
FOR EACH ROW EXECUTE FUNCTION public.apikeys_require_access();
-- A new secret that nobody stored gives way to the former one, which worked before.
CREATE TRIGGER whose_key_works_again_has_access
BEFORE UPDATE OF status, digest ON public.apikeys_apikey
FOR EACH ROW WHEN (OLD.status = 'disabled' AND NEW.status = 'active'
  OR NEW.digest <> OLD.digest AND NEW.digest IS DISTINCT FROM OLD.former_digest)
EXECUTE FUNCTION public.apikeys_require_access();

-- Scopes can only be removed. A new secret keeps the previous one, or restores it.
CREATE FUNCTION public.apikeys_refuse_wider_key() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT NEW.scopes <@ OLD.scopes
    OR NEW.digest <> OLD.digest
      AND NEW.former_digest IS DISTINCT FROM OLD.digest
      AND NEW.digest IS DISTINCT FROM OLD.former_digest
  THEN
    RAISE EXCEPTION 'a key gets no further scope, and its secret changes by a rotation'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_key_never_widens BEFORE UPDATE OF scopes, digest, former_digest
ON public.apikeys_apikey FOR EACH ROW EXECUTE FUNCTION public.apikeys_refuse_wider_key();

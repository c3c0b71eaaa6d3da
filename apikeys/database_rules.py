"""The database tells who listens that a key, its grant or its business has changed.

A notice carries a key's id. It is sent when the change commits, whoever made it and by whatever
way, so a key that was revoked in plain SQL is refused as fast as one revoked on the page.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.apikeys_tell_of_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('key_changes', OLD.public_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION public.apikeys_tell_of_grant() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('key_changes', key.public_id)
  FROM public.apikeys_apikey AS key WHERE key.grant_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION public.apikeys_tell_of_business() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_notify('key_changes', key.public_id)
  FROM public.apikeys_apikey AS key
  JOIN public.apikeys_grant AS access ON access.id = key.grant_id
  WHERE access.business_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER key_changes_are_told
AFTER DELETE OR UPDATE OF status, scopes, name, digest, pepper, expires_at, networks,
  secret_used_at, former_digest, former_pepper, former_ends_at
ON public.apikeys_apikey FOR EACH ROW EXECUTE FUNCTION public.apikeys_tell_of_key();
CREATE TRIGGER grant_changes_are_told
AFTER UPDATE ON public.apikeys_grant FOR EACH ROW
WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION public.apikeys_tell_of_grant();
CREATE TRIGGER business_changes_are_told
AFTER UPDATE ON public.accounts_business FOR EACH ROW
WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.name IS DISTINCT FROM NEW.name)
EXECUTE FUNCTION public.apikeys_tell_of_business();
"""

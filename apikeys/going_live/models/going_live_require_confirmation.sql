CREATE FUNCTION public.going_live_require_confirmation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM unnest(NEW.live_products) AS live (product)
    WHERE NEW.environment <> 'live' OR NOT EXISTS (
      SELECT FROM public.going_live_goliverequest AS asked
      WHERE asked.business_id = NEW.business_id AND asked.confirmed_at IS NOT NULL
        AND live.product = ANY (asked.products))) THEN
    RAISE EXCEPTION 'a product goes live once a request that names it is confirmed'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER live_products_were_confirmed
BEFORE INSERT OR UPDATE OF live_products, business_id, environment ON public.apikeys_grant
FOR EACH ROW EXECUTE FUNCTION public.going_live_require_confirmation();

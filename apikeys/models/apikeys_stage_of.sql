CREATE FUNCTION public.apikeys_stage_of(of_business bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE
    WHEN EXISTS (
      SELECT FROM public.apikeys_grant
      WHERE business_id = of_business AND environment = 'live' AND status <> 'closed'
    ) THEN 'live'
    WHEN EXISTS (
      SELECT FROM public.onboarding_application
      WHERE business_id = of_business AND status = 'executed'
    ) THEN 'sandbox'
    WHEN newest.status = 'cleared' AND (
      SELECT status FROM public.agreements_pack
      WHERE business_id = of_business ORDER BY id DESC LIMIT 1
    ) IN ('in_approval', 'approved', 'countersigning', 'quarantined', 'seal_failed')
      THEN 'approval'
    WHEN newest.status = 'cleared' THEN 'agreement'
    WHEN newest.status IN ('submitted', 'held') THEN 'review'
    WHEN newest.status IN ('returned', 'draft') THEN newest.status
    WHEN newest.status IS NOT NULL THEN 'ended'
    ELSE 'new'
  END
  FROM (SELECT (
    SELECT status FROM public.onboarding_application
    WHERE business_id = of_business ORDER BY id DESC LIMIT 1
  ) AS status) AS newest
$$;

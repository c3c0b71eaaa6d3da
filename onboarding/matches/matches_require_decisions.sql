-- A check with possible matches passes when each of them was judged not to be the same, and fails
-- when two reviewers confirmed one of them. The newest decision counts, unless it was refused.
CREATE FUNCTION public.matches_require_decisions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  open integer;
  same integer;
BEGIN
  SELECT count(*) FILTER (WHERE last.outcome IS DISTINCT FROM 'not_same'),
    count(*) FILTER (WHERE last.outcome = 'same' AND last.confirmed)
  INTO open, same
  FROM unnest(string_to_array(NEW.evidence ->> 'matches', ' ')) AS found(public_id)
  LEFT JOIN public.matches_possiblematch AS match ON match.public_id = found.public_id
  LEFT JOIN LATERAL (
    SELECT outcome, confirmed FROM public.matches_matchdecision
    WHERE match_id = match.id AND confirmed IS NOT FALSE ORDER BY (confirmed IS TRUE) DESC, id DESC LIMIT 1) AS last ON true;
  IF NEW.status = 'passed' AND open > 0 OR NEW.status = 'failed' AND same = 0 THEN
    RAISE EXCEPTION 'a check with possible matches becomes % by decisions about them', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_with_matches_needs_decisions
BEFORE UPDATE OF status ON public.onboarding_check
FOR EACH ROW WHEN (OLD.status = 'needs_review' AND NEW.status <> OLD.status
  AND NEW.evidence ->> 'matches' <> '')
EXECUTE FUNCTION public.matches_require_decisions();

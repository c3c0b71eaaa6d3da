-- Both reviewers of a decision review the case as compliance, and its check found the match. What
-- the second one decided stays.
CREATE FUNCTION public.matches_require_reviewers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.confirmed IS NOT NULL
    AND NEW.confirmed IS DISTINCT FROM OLD.confirmed THEN
    RAISE EXCEPTION 'confirmed of matches_matchdecision never changes'
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  FOREACH who IN ARRAY array_remove(ARRAY[NEW.decided_by_id, NEW.second_by_id], NULL) LOOP
    IF NOT EXISTS (
      SELECT FROM public.onboarding_reviewer AS reviewer
      JOIN public.onboarding_check AS decided ON decided.application_id = reviewer.application_id
      JOIN public.matches_possiblematch AS found ON found.id = NEW.match_id
      WHERE decided.id = NEW.decided_check_id AND reviewer.person_id = who
        AND reviewer.capacity = 'compliance'
        AND found.public_id = ANY (string_to_array(decided.evidence ->> 'matches', ' '))) THEN
      RAISE EXCEPTION 'a possible match is judged by reviewers of its case, as compliance'
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER a_match_is_judged_by_reviewers_of_its_case
BEFORE INSERT OR UPDATE ON public.matches_matchdecision
FOR EACH ROW EXECUTE FUNCTION public.matches_require_reviewers();

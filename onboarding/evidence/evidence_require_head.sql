-- The head of compliance clears an application that gives concerns, with a reason and evidence.
-- `onboarding.review.clearing.concerns` has the same conditions.
CREATE FUNCTION public.evidence_require_head() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
      SELECT FROM public.onboarding_assessment
      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM'))
    AND NOT EXISTS (
      SELECT FROM public.onboarding_submission,
        LATERAL (SELECT body::jsonb #> '{body,answers}' AS given) AS answers
      WHERE id = NEW.submission_id
        AND (given -> 'ri_pep' = 'true' OR given -> 'ri_sanctions' = 'true'))
    AND NOT EXISTS (
      SELECT FROM public.onboarding_check
      WHERE submission_id = NEW.submission_id AND kind = 'screening'
        AND evidence ->> 'topics' ~* 'role\.(pep|rca)')
  THEN RETURN NEW; END IF;
  IF NOT EXISTS (
    SELECT FROM public.onboarding_caseact AS act
    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id
    JOIN public.accounts_membership AS held ON held.user_id = reviewer.person_id
      AND held.business_id IS NULL AND held.role = 'head_of_compliance'
    JOIN public.evidence_checkevidence AS relied ON relied.act_id = act.id
    JOIN public.evidence_evidencefile AS file ON file.id = relied.file_id
      AND file.application_id = NEW.id AND file.removed_at IS NULL
    WHERE reviewer.application_id = NEW.id AND act.kind = 'clear' AND act.as_head
      AND act.note <> '' AND act.transaction = pg_current_xact_id()::text::bigint)
  THEN
    RAISE EXCEPTION 'the head of compliance clears this case, with a reason and evidence'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_gives_concerns_is_cleared_by_the_head
BEFORE UPDATE OF status ON public.onboarding_application
FOR EACH ROW WHEN (NEW.status = 'cleared' AND OLD.status <> 'cleared')
EXECUTE FUNCTION public.evidence_require_head();

"""Four eyes, kept by the database itself.

- Who answers or submits took part for the business.
- Who took part is never a reviewer of its cases, and a reviewer never takes part.
- A check is decided by a reviewer of its case, as compliance; it is waived by two of them.
- An act is one of its reviewer's capacity, and on a check of their case.
- What a person decides about a case or a check moves in the transaction of that person's act.

The row of the business is held by both sides, so that the two never happen at once.
"""

# What the migrations must have made; a guard compares the two.
RULES = """
CREATE OR REPLACE FUNCTION public.onboarding_note_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
  who bigint;
BEGIN
  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;
  SELECT business_id INTO business FROM public.onboarding_application
  WHERE id = NEW.application_id;
  PERFORM public.accounts_note_participant(business, who);
  RETURN NEW;
END $$;
CREATE TRIGGER who_answers_is_a_participant AFTER INSERT ON public.onboarding_answer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('by_id');
CREATE TRIGGER who_submits_is_a_participant AFTER INSERT ON public.onboarding_submission
FOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('submitted_by_id');

CREATE OR REPLACE FUNCTION public.onboarding_refuse_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  SELECT business_id INTO business FROM public.onboarding_application
  WHERE id = NEW.application_id;
  PERFORM FROM public.accounts_business WHERE id = business FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.accounts_participant
             WHERE business_id = business AND person_id = NEW.person_id) THEN
    RAISE EXCEPTION 'who took part for a business does not review its case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_reviewer_never_took_part BEFORE INSERT ON public.onboarding_reviewer
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_participant();

CREATE OR REPLACE FUNCTION public.onboarding_refuse_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM public.onboarding_reviewer AS reviewer
             JOIN public.onboarding_application AS application
               ON application.id = reviewer.application_id
             WHERE application.business_id = NEW.business_id
               AND reviewer.person_id = NEW.person_id) THEN
    RAISE EXCEPTION 'who reviewed a case of a business does not take part for it'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_participant_never_reviewed BEFORE INSERT ON public.accounts_participant
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_reviewer();

CREATE OR REPLACE FUNCTION public.onboarding_require_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.decided_by_id = NEW.decided_by_id
     AND OLD.application_id = NEW.application_id THEN
    RETURN NEW;
  END IF;
  IF NOT EXISTS (
    SELECT FROM public.onboarding_reviewer
    WHERE application_id = NEW.application_id AND person_id = NEW.decided_by_id
      AND capacity = 'compliance') THEN
    RAISE EXCEPTION 'a check is decided by a reviewer of its case, as compliance'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_is_decided_by_its_reviewer
BEFORE INSERT OR UPDATE OF decided_by_id, application_id ON public.onboarding_check
FOR EACH ROW WHEN (NEW.decided_by_id IS NOT NULL)
EXECUTE FUNCTION public.onboarding_require_reviewer();

CREATE OR REPLACE FUNCTION public.onboarding_require_waiver_reviewers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  who bigint;
BEGIN
  FOREACH who IN ARRAY array_remove(ARRAY[NEW.proposed_by_id, NEW.decided_by_id], NULL) LOOP
    IF NOT EXISTS (
      SELECT FROM public.onboarding_reviewer AS reviewer
      JOIN public.onboarding_check AS waived ON waived.application_id = reviewer.application_id
      WHERE waived.id = NEW.waived_check_id AND reviewer.person_id = who
        AND reviewer.capacity = 'compliance') THEN
      RAISE EXCEPTION 'a check is waived by reviewers of its case, as compliance'
        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER a_waiver_is_by_reviewers_of_its_case
BEFORE INSERT OR UPDATE ON public.onboarding_checkwaiver
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_waiver_reviewers();

CREATE OR REPLACE FUNCTION public.onboarding_require_waiver() RETURNS trigger
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

CREATE OR REPLACE FUNCTION public.onboarding_require_fitting_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  acted record;
BEGIN
  SELECT application_id, capacity INTO acted
  FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;
  IF (CASE
      WHEN NEW.kind IN ('approve', 'send_back')
        THEN acted.capacity IN ('compliance', 'commercial', 'legal')
      WHEN NEW.kind = 'countersign' THEN acted.capacity = 'countersignatory'
      WHEN NEW.kind = 'propose_live' THEN acted.capacity = 'account_manager'
      ELSE acted.capacity = 'compliance' END) IS NOT TRUE
    OR NOT (NEW.decided_check_id IS NULL OR EXISTS (
      SELECT FROM public.onboarding_check
      WHERE id = NEW.decided_check_id AND application_id = acted.application_id)) THEN
    RAISE EXCEPTION 'an act is one of its reviewer''s capacity, on their own case'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  NEW.transaction := pg_current_xact_id()::text::bigint;
  RETURN NEW;
END $$;
CREATE TRIGGER an_act_is_of_its_capacity BEFORE INSERT ON public.onboarding_caseact
FOR EACH ROW EXECUTE FUNCTION public.onboarding_require_fitting_act();

CREATE OR REPLACE FUNCTION public.onboarding_require_act() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kinds text[];
BEGIN
  kinds := CASE
    WHEN NEW.status = 'returned' THEN ARRAY['return', 'send_back']
    WHEN NEW.status = 'declined' THEN ARRAY['decline']
    WHEN NEW.status = 'submitted' AND OLD.status = 'held' THEN ARRAY['release']
    -- The machine clears what needs nobody.
    WHEN NEW.status = 'cleared' AND EXISTS (
      SELECT FROM public.onboarding_assessment
      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM')) THEN ARRAY['clear'] END;
  IF kinds IS NOT NULL AND NOT EXISTS (
    SELECT FROM public.onboarding_caseact AS act
    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id
    WHERE reviewer.application_id = NEW.id AND act.kind = ANY (kinds)
      AND act.transaction = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'an application becomes % by the act of a reviewer', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER what_is_judged_has_its_act
BEFORE UPDATE OF status ON public.onboarding_application
FOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION public.onboarding_require_act();

CREATE OR REPLACE FUNCTION public.onboarding_require_act_on_check() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.onboarding_caseact
    WHERE decided_check_id = NEW.id AND kind = 'decide_check' AND outcome = NEW.status
      AND transaction = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'a check that needs a person becomes % by the act of a reviewer', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_check_that_needs_a_person_has_one
BEFORE UPDATE OF status ON public.onboarding_check
FOR EACH ROW WHEN (OLD.status = 'needs_review' AND NEW.status <> OLD.status)
EXECUTE FUNCTION public.onboarding_require_act_on_check();
"""

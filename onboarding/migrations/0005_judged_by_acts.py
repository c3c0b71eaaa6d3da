"""A case moves by the act of a reviewer, and its rows are all of one case."""

import console.core.immediate_key
from django.conf import settings
from django.db import migrations, models

FITTING_ACT = """
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
  {note}RETURN NEW;
END $$;
"""
NOTED = "NEW.transaction := pg_current_xact_id()::text::bigint;\n  "
RULE = """
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
NO_RULE = """
DROP TRIGGER a_check_that_needs_a_person_has_one ON public.onboarding_check;
DROP FUNCTION public.onboarding_require_act_on_check();
DROP TRIGGER what_is_judged_has_its_act ON public.onboarding_application;
DROP FUNCTION public.onboarding_require_act();
"""


def fitting_act(note: str) -> str:
    return FITTING_ACT.replace("{note}", note)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_participants_stay'),
        ('onboarding', '0004_fitting_acts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='caseact',
            name='transaction',
            field=models.BigIntegerField(editable=False, null=True),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.UniqueConstraint(fields=('id', 'business'), name='an_application_and_its_business'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.UniqueConstraint(fields=('id', 'application'), name='a_submission_and_its_application'),
        ),
        migrations.AddConstraint(
            model_name='assessment',
            constraint=models.UniqueConstraint(fields=('id', 'application'), name='an_assessment_and_its_application'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'id'], name='an_application_has_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['assessment', 'id'], name='an_application_has_its_own_assessment', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Assessment', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['invitation', 'business'], name='an_application_has_its_own_invitation', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.Invitation', to_fields=['id', 'business']),
        ),
        migrations.AddConstraint(
            model_name='assessment',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'application'], name='an_assessment_is_of_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'application'], name='a_check_is_of_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['person'], name='who_reviewed_stays', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.User', to_fields=['id']),
        ),
        migrations.RunSQL(fitting_act(NOTED), fitting_act("")),
        migrations.RunSQL(RULE, NO_RULE),
    ]

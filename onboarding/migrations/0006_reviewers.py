"""Reviewers and their acts, and the rules of four eyes that the database keeps by itself.

- Who answers or submits took part for the business.
- Who took part is never a reviewer of its cases, and a reviewer never takes part.
- A check is decided by a reviewer of its case, as compliance.

The row of the business is held by both sides, so that the two never happen at once.
"""

import console.core.frozen
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

RULES = """
CREATE FUNCTION public.onboarding_note_participant() RETURNS trigger
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

CREATE FUNCTION public.onboarding_refuse_participant() RETURNS trigger
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

CREATE FUNCTION public.onboarding_refuse_reviewer() RETURNS trigger
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

CREATE FUNCTION public.onboarding_require_reviewer() RETURNS trigger
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
"""
NO_RULES = """
DROP TRIGGER a_check_is_decided_by_its_reviewer ON public.onboarding_check;
DROP TRIGGER a_participant_never_reviewed ON public.accounts_participant;
DROP TRIGGER a_reviewer_never_took_part ON public.onboarding_reviewer;
DROP TRIGGER who_submits_is_a_participant ON public.onboarding_submission;
DROP TRIGGER who_answers_is_a_participant ON public.onboarding_answer;
DROP FUNCTION public.onboarding_require_reviewer();
DROP FUNCTION public.onboarding_refuse_reviewer();
DROP FUNCTION public.onboarding_refuse_participant();
DROP FUNCTION public.onboarding_note_participant();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_participants'),
        ('onboarding', '0005_the_page_of_an_answer'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Reviewer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('capacity', models.CharField(choices=[('compliance', 'Compliance'), ('commercial', 'Commercial'), ('legal', 'Legal'), ('countersignatory', 'Countersignatory')], max_length=20)),
                ('since', models.DateTimeField()),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviewers', to='onboarding.application')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='CaseAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('clear', 'Cleared to contract'), ('hold', 'Put on hold'), ('release', 'Let the review go on'), ('return', 'Returned for changes'), ('decline', 'Declined'), ('decide_check', 'Decided a check'), ('run_check_again', 'Asked for a check to be run again'), ('approve', 'Approved'), ('send_back', 'Sent back'), ('countersign', 'Countersigned')], max_length=20)),
                ('outcome', models.CharField(blank=True, max_length=20)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('decided_check', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='onboarding.check')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='onboarding.reviewer')),
            ],
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=models.UniqueConstraint(fields=('application', 'person'), name='one_person_one_capacity_on_a_case'),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=models.CheckConstraint(condition=models.Q(('capacity__in', ['compliance', 'commercial', 'legal', 'countersignatory'])), name='a_capacity_is_known'),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.frozen.NeverChanges(name='reviewers_never_change'),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['clear', 'hold', 'release', 'return', 'decline', 'decide_check', 'run_check_again', 'approve', 'send_back', 'countersign'])), name='an_act_on_a_case_is_known'),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=console.core.frozen.NeverChanges(name='acts_on_a_case_never_change'),
        ),
        migrations.RunSQL(RULES, NO_RULES),
    ]

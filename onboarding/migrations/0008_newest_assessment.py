"""Submissions and assessments are recorded in the log, and an application has its newest."""

import console.audit.recorded
import console.core.database_rule
from django.conf import settings
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('accounts', '0010_recorded_people'),
        ('onboarding', '0007_confidential_notes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_newest', sql="-- An application has its newest submission, and the newest assessment of that.\nCREATE FUNCTION public.onboarding_require_newest() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF EXISTS (\n    SELECT FROM public.onboarding_submission AS had, public.onboarding_submission AS newer\n    WHERE had.id = NEW.submission_id AND newer.application_id = NEW.id\n      AND newer.number > had.number)\n    OR EXISTS (\n    SELECT FROM public.onboarding_assessment AS had\n    LEFT JOIN public.onboarding_assessment AS newer\n      ON newer.application_id = NEW.id AND newer.number > had.number\n    WHERE had.id = NEW.assessment_id\n      AND (newer.id IS NOT NULL OR had.submission_id IS DISTINCT FROM NEW.submission_id))\n  THEN\n    RAISE EXCEPTION 'an application has its newest submission, and the newest assessment of that'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_is_reviewed_is_the_newest\nBEFORE UPDATE OF submission_id, assessment_id ON public.onboarding_application\nFOR EACH ROW WHEN (\n  OLD.submission_id IS DISTINCT FROM NEW.submission_id\n  OR OLD.assessment_id IS DISTINCT FROM NEW.assessment_id)\nEXECUTE FUNCTION public.onboarding_require_newest();\n"),
        ),
        migrations.AddConstraint(
            model_name='assessment',
            constraint=console.audit.recorded.RecordedAs(about='application_id', added=True, condition='true', fields=[], name='assessments_are_recorded', of='onboarding_application', removed=False, says={'after,score_x100': 'score_x100', 'after,tier': 'tier'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=console.audit.recorded.RecordedAs(about='application_id', added=True, condition='true', fields=[], name='submissions_are_recorded', of='onboarding_application', removed=False, says={'details,sha256': 'submission_sha256'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
    ]

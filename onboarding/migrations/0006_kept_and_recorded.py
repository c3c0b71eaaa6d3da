"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
import console.core.database_rule
from django.conf import settings
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0008_kept_and_recorded'),
        ('onboarding', '0005_business_access'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=[], name='applications_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='statuses_of_applications_are_recorded', of='', removed=False, says={'after,status': 'status'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_record_acts', sql="-- Reviewing a case, and each act on it, has an audit entry of the reviewer about that business.\nCREATE FUNCTION public.onboarding_record_acts() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  key bigint := CASE TG_TABLE_NAME WHEN 'onboarding_reviewer' THEN to_jsonb(NEW) -> 'id'\n    ELSE to_jsonb(NEW) -> 'reviewer_id' END;\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_reviewer AS reviewer\n    JOIN public.accounts_user AS person ON person.id = reviewer.person_id\n    JOIN public.onboarding_application AS application ON application.id = reviewer.application_id\n    JOIN public.accounts_business AS business ON business.id = application.business_id\n    JOIN public.audit_entries_now(NULL, person.public_id) AS entry\n      ON entry.business_id = business.public_id\n    WHERE reviewer.id = key\n  ) THEN\n    RAISE EXCEPTION '% changes together with an audit entry of the reviewer', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\nCREATE CONSTRAINT TRIGGER reviewers_are_recorded AFTER INSERT ON public.onboarding_reviewer\nDEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.onboarding_record_acts();\nCREATE CONSTRAINT TRIGGER acts_on_a_case_are_recorded AFTER INSERT ON public.onboarding_caseact\nDEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.onboarding_record_acts();\n"),
        ),
    ]

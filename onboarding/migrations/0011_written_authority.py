"""Legal accepts or refuses the written authority of a signatory."""

import console.core.database_rule
from django.conf import settings
from django.db import migrations, models

two_step = "No release so far writes other acts, and each returns a case by an act that stays known."


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_saved_views'),
        ('onboarding', '0010_checks_of_owners'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='application',
            name='onboarding_require_act',
        ),
        migrations.RemoveConstraint(
            model_name='caseact',
            name='an_act_on_a_case_is_known',
        ),
        migrations.RemoveConstraint(
            model_name='caseact',
            name='onboarding_require_fitting_act',
        ),
        migrations.AlterField(
            model_name='caseact',
            name='kind',
            field=models.CharField(choices=[('clear', 'Cleared to contract'), ('hold', 'Put on hold'), ('release', 'Continued the review'), ('return', 'Returned for changes'), ('decline', 'Declined'), ('decide_check', 'Decided a check'), ('run_check_again', 'Asked for a check to be run again'), ('propose_waiver', 'Proposed to waive a check'), ('confirm_waiver', 'Waived a check'), ('refuse_waiver', 'Refused to waive a check'), ('accept_authority', 'Accepted the authority to sign'), ('refuse_authority', 'Refused the authority to sign'), ('approve', 'Approved'), ('send_back', 'Sent back'), ('countersign', 'Countersigned'), ('propose_live', 'Proposed to go live'), ('approve_live', 'Approved to go live'), ('decline_live', 'Declined to go live')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_act', sql="CREATE FUNCTION public.onboarding_require_act() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  kinds text[];\nBEGIN\n  kinds := CASE\n    WHEN NEW.status = 'returned' THEN ARRAY['return', 'send_back', 'refuse_authority']\n    WHEN NEW.status = 'declined' THEN ARRAY['decline']\n    WHEN NEW.status = 'submitted' AND OLD.status = 'held' THEN ARRAY['release']\n    -- The system clears cases that need no reviewer.\n    WHEN NEW.status = 'cleared' AND EXISTS (\n      SELECT FROM public.onboarding_assessment\n      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM')) THEN ARRAY['clear'] END;\n  IF kinds IS NOT NULL AND NOT EXISTS (\n    SELECT FROM public.onboarding_caseact AS act\n    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id\n    WHERE reviewer.application_id = NEW.id AND act.kind = ANY (kinds)\n      AND act.transaction = pg_current_xact_id()::text::bigint) THEN\n    RAISE EXCEPTION 'an application becomes % by the act of a reviewer', NEW.status\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_is_judged_has_its_act\nBEFORE UPDATE OF status ON public.onboarding_application\nFOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION public.onboarding_require_act();\n"),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['clear', 'hold', 'release', 'return', 'decline', 'decide_check', 'run_check_again', 'propose_waiver', 'confirm_waiver', 'refuse_waiver', 'accept_authority', 'refuse_authority', 'approve', 'send_back', 'countersign', 'propose_live', 'approve_live', 'decline_live'])), name='an_act_on_a_case_is_known'),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_fitting_act', sql="CREATE FUNCTION public.onboarding_require_fitting_act() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  acted record;\nBEGIN\n  SELECT application_id, capacity INTO acted\n  FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;\n  IF (CASE\n      WHEN NEW.kind IN ('approve', 'send_back')\n        THEN acted.capacity IN ('compliance', 'commercial', 'legal')\n      WHEN NEW.kind IN ('accept_authority', 'refuse_authority') THEN acted.capacity = 'legal'\n      WHEN NEW.kind = 'countersign' THEN acted.capacity = 'countersignatory'\n      WHEN NEW.kind = 'propose_live' THEN acted.capacity = 'account_manager'\n      ELSE acted.capacity = 'compliance' END) IS NOT TRUE\n    OR NOT (NEW.decided_check_id IS NULL OR EXISTS (\n      SELECT FROM public.onboarding_check\n      WHERE id = NEW.decided_check_id AND application_id = acted.application_id)) THEN\n    RAISE EXCEPTION 'an act is one of its reviewer''s capacity, on their own case'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  NEW.transaction := pg_current_xact_id()::text::bigint;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER an_act_is_of_its_capacity BEFORE INSERT ON public.onboarding_caseact\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_require_fitting_act();\n"),
        ),
    ]

"""A relative or close associate of an exposed person is a concern, in any case of letters."""

import console.core.database_rule
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('evidence', '0002_head_clears_concerns'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='checkevidence',
            name='evidence_require_head',
        ),
        migrations.AddConstraint(
            model_name='checkevidence',
            constraint=console.core.database_rule.DatabaseRule(name='evidence_require_head', sql="-- The head of compliance clears an application that gives concerns, with a reason and evidence.\n-- `onboarding.review.clearing.concerns` has the same conditions.\nCREATE FUNCTION public.evidence_require_head() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT EXISTS (\n      SELECT FROM public.onboarding_assessment\n      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM'))\n    AND NOT EXISTS (\n      SELECT FROM public.onboarding_submission,\n        LATERAL (SELECT body::jsonb #> '{body,answers}' AS given) AS answers\n      WHERE id = NEW.submission_id\n        AND (given -> 'ri_pep' = 'true' OR given -> 'ri_sanctions' = 'true'))\n    AND NOT EXISTS (\n      SELECT FROM public.onboarding_check\n      WHERE submission_id = NEW.submission_id AND kind = 'screening'\n        AND evidence ->> 'topics' ~* 'role\\.(pep|rca)')\n  THEN RETURN NEW; END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_caseact AS act\n    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id\n    JOIN public.accounts_membership AS held ON held.user_id = reviewer.person_id\n      AND held.business_id IS NULL AND held.role = 'head_of_compliance'\n    JOIN public.evidence_checkevidence AS relied ON relied.act_id = act.id\n    JOIN public.evidence_evidencefile AS file ON file.id = relied.file_id\n      AND file.application_id = NEW.id AND file.removed_at IS NULL\n    WHERE reviewer.application_id = NEW.id AND act.kind = 'clear' AND act.as_head\n      AND act.note <> '' AND act.transaction = pg_current_xact_id()::text::bigint)\n  THEN\n    RAISE EXCEPTION 'the head of compliance clears this case, with a reason and evidence'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_gives_concerns_is_cleared_by_the_head\nBEFORE UPDATE OF status ON public.onboarding_application\nFOR EACH ROW WHEN (NEW.status = 'cleared' AND OLD.status <> 'cleared')\nEXECUTE FUNCTION public.evidence_require_head();\n"),
        ),
    ]

"""Whoever has a written authority that legal accepted may sign."""

import console.core.database_rule
from django.conf import settings
from django.db import migrations

two_step = "Every release so far refuses to sign with a written authority."


class Migration(migrations.Migration):

    dependencies = [
        ('evidence', '0004_written_authority'),
        ('onboarding', '0011_written_authority'),
        ('agreements', '0007_several_signatories'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='signatureact',
            name='agreements_require_authority',
        ),
        migrations.AddConstraint(
            model_name='signatureact',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_require_authority', sql="-- What lets the signatories of a revision bind the company, and whether enough of them have signed.\nCREATE FUNCTION public.agreements_require_authority() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who jsonb;\n  revision bigint;\n  others bigint;\n  needed bigint;\n  signed bigint;\nBEGIN\n  revision := (to_jsonb(NEW) ->> 'revision_id')::bigint;\n  SELECT signatory INTO who FROM public.agreements_revision WHERE id = revision;\n  others := jsonb_array_length(COALESCE(who->'others', '[]'));\n  needed := CASE\n    WHEN who->>'basis' IN ('sole_director', 'director') THEN 1\n    -- Legal accepted the file that gives a written authority.\n    WHEN who->>'basis' = 'authority_document' AND EXISTS (\n      SELECT FROM public.agreements_revision AS made\n      JOIN public.agreements_pack AS pack ON pack.id = made.pack_id\n      JOIN public.onboarding_reviewer AS reviewer ON reviewer.application_id = pack.application_id\n      JOIN public.onboarding_caseact AS act ON act.reviewer_id = reviewer.id\n      JOIN public.evidence_checkevidence AS relied ON relied.act_id = act.id\n      WHERE made.id = revision AND act.kind = 'accept_authority'\n        AND relied.sha256 = who->>'authority_sha256') THEN 1\n    WHEN who->>'basis' = 'joint_directors' AND others > 0\n      THEN CASE who->>'rule' WHEN 'all' THEN others + 1 ELSE 2 END\n  END;\n  IF needed IS NULL THEN\n    RAISE EXCEPTION 'nobody signs a pack whose signatories cannot bind the company'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  IF TG_TABLE_NAME = 'agreements_signatureact' THEN RETURN NEW; END IF;\n  SELECT count(DISTINCT act.person_id) INTO signed\n  FROM public.agreements_signatureact AS act\n  WHERE act.revision_id = revision\n    AND lower(act.body::jsonb #>> '{body,person,email}') IN (\n      SELECT lower(one->>'email') FROM jsonb_array_elements(\n        jsonb_build_array(who) || COALESCE(who->'others', '[]')) AS one);\n  IF signed < needed THEN\n    RAISE EXCEPTION 'a pack is signed once those who bind the company have signed'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER who_signs_can_bind_the_company BEFORE INSERT ON public.agreements_signatureact\nFOR EACH ROW EXECUTE FUNCTION public.agreements_require_authority();\nCREATE TRIGGER what_is_approved_binds_the_company\nBEFORE INSERT ON public.agreements_decision\nFOR EACH ROW WHEN (NEW.verdict <> 'returned')\nEXECUTE FUNCTION public.agreements_require_authority();\nCREATE TRIGGER what_is_signed_binds_the_company BEFORE UPDATE OF status ON public.agreements_pack\nFOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status IN ('signed', 'in_approval'))\nEXECUTE FUNCTION public.agreements_require_authority();\n"),
        ),
    ]

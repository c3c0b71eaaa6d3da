"""Several people sign a pack, and the database counts their signatures."""

import console.core.database_rule
from django.conf import settings
from django.db import migrations

two_step = "Every release so far lets one person sign, whose signature is enough."


class Migration(migrations.Migration):

    dependencies = [
        ('agreements', '0006_kept_and_recorded'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='receipt',
            name='agreements_keep_receipts',
        ),
        migrations.RemoveConstraint(
            model_name='signatureact',
            name='agreements_require_authority',
        ),
        migrations.AddConstraint(
            model_name='receipt',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_keep_receipts', sql="-- Taking an acceptance back removes its receipt, until somebody signs. Others may still accept then.\nCREATE FUNCTION public.agreements_keep_receipts() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  receipt record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;\nBEGIN\n  IF EXISTS (\n    SELECT FROM public.agreements_document AS document\n    JOIN public.agreements_revision AS revision ON revision.id = document.revision_id\n    WHERE document.id = receipt.document_id AND (\n      revision.signed_set_sha256 <> '' OR TG_OP = 'DELETE' AND EXISTS (\n        SELECT FROM public.agreements_signatureact AS act WHERE act.revision_id = revision.id))\n  ) THEN\n    RAISE EXCEPTION 'receipts of what was signed are kept, and none is added'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN receipt;\nEND $$;\nCREATE TRIGGER receipts_of_what_was_signed_are_kept\nBEFORE INSERT OR DELETE ON public.agreements_receipt\nFOR EACH ROW EXECUTE FUNCTION public.agreements_keep_receipts();\n"),
        ),
        migrations.AddConstraint(
            model_name='signatureact',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_require_authority', sql="-- What lets the signatories of a revision bind the company, and whether enough of them have signed.\nCREATE FUNCTION public.agreements_require_authority() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who jsonb;\n  revision bigint;\n  others bigint;\n  needed bigint;\n  signed bigint;\nBEGIN\n  revision := (to_jsonb(NEW) ->> 'revision_id')::bigint;\n  SELECT signatory INTO who FROM public.agreements_revision WHERE id = revision;\n  others := jsonb_array_length(COALESCE(who->'others', '[]'));\n  needed := CASE\n    WHEN who->>'basis' IN ('sole_director', 'director') THEN 1\n    WHEN who->>'basis' = 'joint_directors' AND others > 0\n      THEN CASE who->>'rule' WHEN 'all' THEN others + 1 ELSE 2 END\n  END;\n  IF needed IS NULL THEN\n    RAISE EXCEPTION 'nobody signs a pack whose signatories cannot bind the company'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  IF TG_TABLE_NAME = 'agreements_signatureact' THEN RETURN NEW; END IF;\n  SELECT count(DISTINCT act.person_id) INTO signed\n  FROM public.agreements_signatureact AS act\n  WHERE act.revision_id = revision\n    AND lower(act.body::jsonb #>> '{body,person,email}') IN (\n      SELECT lower(one->>'email') FROM jsonb_array_elements(\n        jsonb_build_array(who) || COALESCE(who->'others', '[]')) AS one);\n  IF signed < needed THEN\n    RAISE EXCEPTION 'a pack is signed once those who bind the company have signed'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER who_signs_can_bind_the_company BEFORE INSERT ON public.agreements_signatureact\nFOR EACH ROW EXECUTE FUNCTION public.agreements_require_authority();\nCREATE TRIGGER what_is_approved_binds_the_company\nBEFORE INSERT ON public.agreements_decision\nFOR EACH ROW WHEN (NEW.verdict <> 'returned')\nEXECUTE FUNCTION public.agreements_require_authority();\nCREATE TRIGGER what_is_signed_binds_the_company BEFORE UPDATE OF status ON public.agreements_pack\nFOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status IN ('signed', 'in_approval'))\nEXECUTE FUNCTION public.agreements_require_authority();\n"),
        ),
    ]

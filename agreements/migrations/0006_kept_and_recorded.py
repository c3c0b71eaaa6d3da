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
        ('agreements', '0005_signing_authority'),
        ('onboarding', '0006_kept_and_recorded'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='decision',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_bind_acts', sql="-- A signature or decision is what its file says, and has an audit entry of its person with the hash\n-- of the file. The argument is the column of that hash.\nCREATE FUNCTION public.agreements_bind_acts() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(NEW);\n  sha256 text := whole ->> TG_ARGV[0];\n  said jsonb := NEW.body::jsonb -> 'body';\n  who text;\n  about record;\nBEGIN\n  SELECT public_id INTO who FROM public.accounts_user WHERE id = NEW.person_id;\n  SELECT pack.public_id, pack.number, revision.signed_set_sha256, revision.offer_sha256 INTO about\n  FROM public.agreements_revision AS revision\n  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id\n  WHERE revision.id = NEW.revision_id;\n  IF (encode(sha256(convert_to(NEW.body, 'UTF8')), 'hex') = sha256\n    AND said #>> '{person,id}' = who AND said ->> 'pack' = about.number\n    AND COALESCE(said ->> 'signed_set_sha256', about.signed_set_sha256) = about.signed_set_sha256\n    AND COALESCE(said ->> 'offer_sha256', about.offer_sha256) = about.offer_sha256\n    AND NOT EXISTS (\n      SELECT FROM jsonb_each_text(said) AS member\n      WHERE whole ? member.key AND whole ->> member.key IS DISTINCT FROM member.value)\n  ) IS NOT TRUE THEN\n    RAISE EXCEPTION '% is not what its file says', TG_TABLE_NAME\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entries_now(about.public_id, who) AS entry\n    WHERE entry.body::jsonb #>> ARRAY['body', 'details', TG_ARGV[0]] = sha256\n      AND (said ->> 'verdict', said ->> 'role') IS NOT DISTINCT FROM\n        (entry.body::jsonb #>> '{body,details,verdict}', entry.body::jsonb #>> '{body,details,role}')\n  ) THEN\n    RAISE EXCEPTION '% changes together with an audit entry of its person', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\nCREATE CONSTRAINT TRIGGER a_decision_is_its_file_and_has_an_entry AFTER INSERT\nON public.agreements_decision DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.agreements_bind_acts('decision_sha256');\nCREATE CONSTRAINT TRIGGER a_signature_is_its_file_and_has_an_entry AFTER INSERT\nON public.agreements_signatureact DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.agreements_bind_acts('act_sha256');\n"),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=[], name='packs_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='statuses_of_packs_are_recorded', of='', removed=False, says={'after,status': 'status'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
    ]

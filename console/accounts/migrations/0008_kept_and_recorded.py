"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
import console.core.database_rule
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0007_business_access'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='invitation',
            name='an_invitation_is_one_invitation',
        ),
        migrations.AddConstraint(
            model_name='authenticator',
            constraint=console.audit.recorded.Recorded(about='user_id', added=True, condition='true', fields=[], name='authenticators_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='authenticator',
            constraint=console.audit.recorded.Recorded(about='user_id', added=False, condition='OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.sealed_seed IS DISTINCT FROM NEW.sealed_seed OR OLD.confirmed IS DISTINCT FROM NEW.confirmed OR OLD.held_until IS DISTINCT FROM NEW.held_until OR OLD.created_at IS DISTINCT FROM NEW.created_at', fields=['user', 'sealed_seed', 'confirmed', 'held_until', 'created_at'], name='changes_of_authenticators_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'email', 'role', 'invited_by'], name='an_invitation_is_one_invitation', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_record_members', sql="-- Who gets, changes or loses a role in a business has an audit entry about it, and so has who loses\n-- one on our staff.\nCREATE FUNCTION public.accounts_record_members() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  member public.accounts_membership := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;\n  person text;\n  business text;\nBEGIN\n  SELECT public_id INTO person FROM public.accounts_user WHERE id = member.user_id;\n  SELECT public_id INTO business FROM public.accounts_business WHERE id = member.business_id;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entries_now(NULL, NULL) AS entry\n    WHERE entry.business_id = COALESCE(business, '')\n      AND entry.subject_id IN (person, business, member.public_id)) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about the member', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\nCREATE CONSTRAINT TRIGGER members_are_recorded AFTER INSERT OR UPDATE OR DELETE\nON public.accounts_membership DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.accounts_record_members();\n"),
        ),
        migrations.AddConstraint(
            model_name='passkey',
            constraint=console.core.frozen.SetOnce(anew='', deletable=True, fields=['public_id', 'user', 'credential_id', 'public_key'], name='a_passkey_is_one_passkey', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='passkey',
            constraint=console.audit.recorded.Recorded(about='user_id', added=True, condition='true', fields=[], name='passkeys_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='passkey',
            constraint=console.audit.recorded.Recorded(about='user_id', added=False, condition='OLD.held_until IS DISTINCT FROM NEW.held_until OR OLD.created_at IS DISTINCT FROM NEW.created_at', fields=['held_until', 'created_at'], name='holds_of_passkeys_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='provideraccount',
            constraint=console.core.frozen.SetOnce(anew='', deletable=True, fields=['user', 'issuer', 'subject'], name='a_provider_account_is_of_one_person', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='provideraccount',
            constraint=console.audit.recorded.Recorded(about='user_id', added=True, condition='true', fields=[], name='provider_accounts_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='recoverycode',
            constraint=console.core.frozen.SetOnce(anew='', deletable=True, fields=['user', 'hashed', 'made_at', 'used_at'], name='a_recovery_code_is_used_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='recoverycode',
            constraint=console.audit.recorded.Recorded(about='user_id', added=True, condition='true', fields=[], name='recovery_codes_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.email IS DISTINCT FROM NEW.email', fields=['email'], name='addresses_of_people_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

"""Changes of people, removed factors and invitations are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('accounts', '0009_recorded_statuses'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='authenticator',
            name='authenticators_are_recorded',
        ),
        migrations.RemoveConstraint(
            model_name='invitation',
            name='an_invitation_is_one_invitation',
        ),
        migrations.RemoveConstraint(
            model_name='passkey',
            name='passkeys_are_recorded',
        ),
        migrations.RemoveConstraint(
            model_name='provideraccount',
            name='provider_accounts_are_recorded',
        ),
        migrations.RemoveConstraint(
            model_name='recoverycode',
            name='recovery_codes_are_recorded',
        ),
        migrations.RemoveConstraint(
            model_name='user',
            name='addresses_of_people_are_recorded',
        ),
        migrations.AddConstraint(
            model_name='authenticator',
            constraint=console.audit.recorded.RecordedAs(about='user_id', added=True, condition='true', fields=[], name='authenticators_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='business',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.name IS DISTINCT FROM NEW.name', fields=['name'], name='names_of_businesses_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='emailchange',
            constraint=console.audit.recorded.RecordedAs(about='person_id', added=True, condition='true', fields=['confirmed_at', 'ended_at'], name='email_changes_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'email', 'role', 'invited_by', 'accepted_at', 'withdrawn_at'], name='an_invitation_is_one_invitation', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['name', 'invited_at', 'expires_at'], name='invitations_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='passkey',
            constraint=console.audit.recorded.RecordedAs(about='user_id', added=True, condition='true', fields=[], name='passkeys_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='provideraccount',
            constraint=console.audit.recorded.RecordedAs(about='user_id', added=True, condition='true', fields=[], name='provider_accounts_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='recoverycode',
            constraint=console.audit.recorded.RecordedAs(about='user_id', added=True, condition='true', fields=[], name='recovery_codes_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.email IS DISTINCT FROM NEW.email OR OLD.email_confirmed_at IS DISTINCT FROM NEW.email_confirmed_at OR OLD.name IS DISTINCT FROM NEW.name OR OLD.password IS DISTINCT FROM NEW.password OR OLD.is_active IS DISTINCT FROM NEW.is_active', fields=['email', 'email_confirmed_at', 'name', 'password', 'is_active'], name='changes_of_people_are_recorded', of='', removed=False, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=console.audit.recorded.RecordedAs(about='', added=True, condition='NEW.email_confirmed_at IS NOT NULL', fields=[], name='confirmed_people_are_recorded', of='', removed=False, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.email_confirmed_at IS NOT NULL', fields=[], name='confirmed_people_are_not_removed_unseen', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
    ]

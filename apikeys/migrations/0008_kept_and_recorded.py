"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.conf import settings
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0008_kept_and_recorded'),
        ('apikeys', '0007_business_access'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='grant',
            name='a_grant_is_one_grant',
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status OR OLD.expires_at IS DISTINCT FROM NEW.expires_at OR OLD.networks IS DISTINCT FROM NEW.networks OR OLD.pepper IS DISTINCT FROM NEW.pepper OR OLD.former_digest IS DISTINCT FROM NEW.former_digest OR OLD.former_pepper IS DISTINCT FROM NEW.former_pepper OR OLD.former_ends_at IS DISTINCT FROM NEW.former_ends_at', fields=['status', 'expires_at', 'networks', 'pepper', 'former_digest', 'former_pepper', 'former_ends_at'], name='secrets_and_limits_of_keys_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='grant',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment'], name='a_grant_is_one_grant', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='grant',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='statuses_of_grants_are_recorded', of='', removed=False, says={'after,status': 'status'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='grant',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.networks IS DISTINCT FROM NEW.networks OR OLD.requires_signatures IS DISTINCT FROM NEW.requires_signatures', fields=['networks', 'requires_signatures'], name='limits_of_grants_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='networkrequest',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'grant', 'network', 'reason', 'requested_by', 'requested_at', 'decided_by', 'decided_at'], name='a_network_request_is_as_it_was_sent', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='networkrequest',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['status'], name='network_requests_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

"""Every setting of an endpoint is recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('accounts', '0010_recorded_people'),
        ('webhooks', '0003_kept_and_recorded'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='webhookendpoint',
            name='an_endpoint_is_one_endpoint',
        ),
        migrations.RemoveConstraint(
            model_name='webhookendpoint',
            name='changes_of_endpoints_are_recorded',
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment', 'created_at', 'once'], name='an_endpoint_is_one_endpoint', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.url IS DISTINCT FROM NEW.url OR OLD.host IS DISTINCT FROM NEW.host OR OLD.description IS DISTINCT FROM NEW.description OR OLD.enabled_events IS DISTINCT FROM NEW.enabled_events OR OLD.api_version IS DISTINCT FROM NEW.api_version OR OLD.status IS DISTINCT FROM NEW.status OR OLD.paused_reason IS DISTINCT FROM NEW.paused_reason OR OLD.paused_at IS DISTINCT FROM NEW.paused_at OR OLD.removed_at IS DISTINCT FROM NEW.removed_at OR OLD.secret IS DISTINCT FROM NEW.secret OR OLD.secret_set_at IS DISTINCT FROM NEW.secret_set_at OR OLD.previous_secret IS DISTINCT FROM NEW.previous_secret OR OLD.previous_secret_ends_at IS DISTINCT FROM NEW.previous_secret_ends_at OR OLD.verification IS DISTINCT FROM NEW.verification OR OLD.verified_at IS DISTINCT FROM NEW.verified_at OR OLD.verification_method IS DISTINCT FROM NEW.verification_method OR OLD.probed_weekly IS DISTINCT FROM NEW.probed_weekly', fields=['url', 'host', 'description', 'enabled_events', 'api_version', 'status', 'paused_reason', 'paused_at', 'removed_at', 'secret', 'secret_set_at', 'previous_secret', 'previous_secret_ends_at', 'verification', 'verified_at', 'verification_method', 'probed_weekly'], name='changes_of_endpoints_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

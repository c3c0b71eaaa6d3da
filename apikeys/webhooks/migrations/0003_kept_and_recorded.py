"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0008_kept_and_recorded'),
        ('webhooks', '0002_not_delivered'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='webhookendpoint',
            name='an_endpoint_is_one_endpoint',
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment'], name='an_endpoint_is_one_endpoint', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=[], name='endpoints_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='webhookendpoint',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.url IS DISTINCT FROM NEW.url OR OLD.host IS DISTINCT FROM NEW.host OR OLD.secret IS DISTINCT FROM NEW.secret OR OLD.previous_secret IS DISTINCT FROM NEW.previous_secret OR OLD.verification IS DISTINCT FROM NEW.verification OR OLD.verified_at IS DISTINCT FROM NEW.verified_at OR OLD.removed_at IS DISTINCT FROM NEW.removed_at', fields=['url', 'host', 'secret', 'previous_secret', 'verification', 'verified_at', 'removed_at'], name='changes_of_endpoints_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

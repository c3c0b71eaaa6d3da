"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
from django.conf import settings
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0008_kept_and_recorded'),
        ('going_live', '0002_list_pages'),
        ('onboarding', '0006_kept_and_recorded'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='goliverequest',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='statuses_of_go_live_requests_are_recorded', of='', removed=False, says={'after,status': 'status'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='goliverequest',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['proposed_by', 'decided_by', 'confirmed_by', 'withdrawn_by'], name='go_live_requests_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

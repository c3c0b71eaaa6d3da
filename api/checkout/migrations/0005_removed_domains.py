"""Tokens and removals of domains are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('accounts', '0010_recorded_people'),
        ('checkout', '0004_changed_statuses_of_domains'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='checkoutdomain',
            name='a_domain_is_one_domain',
        ),
        migrations.RemoveConstraint(
            model_name='checkoutdomain',
            name='domains_are_recorded',
        ),
        migrations.AddConstraint(
            model_name='checkoutdomain',
            constraint=console.core.frozen.SetOnce(anew='', deletable=True, fields=['id', 'public_id', 'business', 'domain', 'created_at'], name='a_domain_is_one_domain', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkoutdomain',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status OR OLD.token IS DISTINCT FROM NEW.token OR OLD.token_expires_at IS DISTINCT FROM NEW.token_expires_at OR OLD.verified_at IS DISTINCT FROM NEW.verified_at', fields=['status', 'token', 'token_expires_at', 'verified_at'], name='domains_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkoutdomain',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='true', fields=[], name='removed_domains_are_recorded', of='', removed=True, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
    ]

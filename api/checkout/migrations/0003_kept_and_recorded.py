"""Rows keep what they say, and other changes of them are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these columns as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0005_bound_entries'),
        ('accounts', '0008_kept_and_recorded'),
        ('checkout', '0002_folder_of_logos'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='checkoutdomain',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition="NEW.status <> 'unverified'", fields=['status'], name='domains_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkoutsettings',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['business'], name='checkout_settings_are_of_one_business', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkoutsettings',
            constraint=console.audit.recorded.RecordedAs(about='business_id', added=False, condition='OLD.logo IS DISTINCT FROM NEW.logo OR OLD.allows_localhost IS DISTINCT FROM NEW.allows_localhost', fields=['logo', 'allows_localhost'], name='changes_of_checkout_settings_are_recorded', of='accounts_business', removed=False, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='checkoutsettings',
            constraint=console.audit.recorded.RecordedAs(about='business_id', added=True, condition="NEW.logo <> '' OR NEW.allows_localhost", fields=[], name='checkout_settings_are_recorded', of='accounts_business', removed=False, says={}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
    ]

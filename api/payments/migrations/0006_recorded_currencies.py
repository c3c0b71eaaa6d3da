"""Opt-ins to currencies keep what they say, and are recorded in the log."""

import console.audit.recorded
import console.core.frozen
from django.db import migrations

two_step = "The verbs of every release so far change these rows as the rules allow."


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0006_gone_subjects'),
        ('accounts', '0010_recorded_people'),
        ('sandbox', '0005_time_of_sessions'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='currencyoptin',
            name='an_opt_in_ends_once',
        ),
        migrations.AddConstraint(
            model_name='currencyoptin',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'currency', 'opened_at', 'ended_at'], name='an_opt_in_ends_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='currencyoptin',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['ended_at'], name='currencies_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

"""A domain that is checked again without a change needs no entry."""

import console.audit.recorded
from django.db import migrations

two_step = "It refuses less than before."


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0008_kept_and_recorded'),
        ('checkout', '0003_kept_and_recorded'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='checkoutdomain',
            name='domains_are_recorded',
        ),
        migrations.AddConstraint(
            model_name='checkoutdomain',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='domains_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

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
        ('catalogue', '0003_accounts_of_one_person'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='businessproduct',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'product'], name='a_product_is_of_one_business', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='businessproduct',
            constraint=console.audit.recorded.RecordedAs(about='', added=False, condition='OLD.status IS DISTINCT FROM NEW.status', fields=['status'], name='statuses_of_products_are_recorded', of='', removed=False, says={'after,status': 'status'}, sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s', '%(of)s', '%(pairs)s')"),
        ),
        migrations.AddConstraint(
            model_name='modulesetting',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'module'], name='a_module_is_of_one_business', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='modulesetting',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.automatic IS DISTINCT FROM NEW.automatic OR OLD.hand IS DISTINCT FROM NEW.hand', fields=['automatic', 'hand'], name='module_settings_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

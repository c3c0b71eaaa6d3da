"""The end of a session's time is no part of what is kept."""

import console.core.frozen
from django.db import migrations

two_step = "It refuses less than before."


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0008_kept_and_recorded'),
        ('sandbox', '0004_kept_and_recorded'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='checkoutsession',
            name='session_keeps_what_it_says',
        ),
        migrations.AddConstraint(
            model_name='checkoutsession',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment', 'created_at', 'amount', 'currency', 'method', 'account', 'address', 'tag_payment_id', 'success_url', 'cancel_url'], name='session_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
    ]

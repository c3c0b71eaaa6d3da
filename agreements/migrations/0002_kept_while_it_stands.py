"""What was signed, approved and sealed keeps its times, its revision and its seal."""

import console.core.frozen
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_held_authenticators'),
        ('agreements', '0001_initial'),
        ('core', '0002_kept_while'),
        ('onboarding', '0002_whose_it_is'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.frozen.KeptWhile(fields=['revision', 'offered_at', 'expires_at', 'signed_at'], name='what_was_signed_is_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['signed', 'in_approval', 'approved', 'countersigning', 'seal_failed', 'executed', 'superseded', 'terminated']),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.frozen.KeptWhile(fields=['approved_at'], name='an_approval_keeps_its_time', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['approved', 'countersigning', 'seal_failed', 'executed', 'superseded', 'terminated']),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.frozen.KeptWhile(fields=['seal_state'], name='a_seal_is_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['executed', 'superseded', 'terminated']),
        ),
    ]

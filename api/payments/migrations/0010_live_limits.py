"""Limits of live money out, and what counts against them."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


two_step = "No release has made instructions yet, and the column has a default."


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_saved_views'),
        ('sandbox', '0009_instructions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='LiveLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('lim',), **{}), max_length=40, unique=True)),
                ('month_cents', models.BigIntegerField()),
                ('payment_cents', models.BigIntegerField()),
                ('reason', models.CharField(max_length=500)),
                ('set_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='LiveSpending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('month', models.DateField()),
                ('euro_cents', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='providerinstruction',
            name='an_instruction_keeps_what_it_says',
        ),
        migrations.AddField(
            model_name='providerinstruction',
            name='euro_cents',
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.AddConstraint(
            model_name='providerinstruction',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment', 'provider', 'kind', 'body', 'euro_cents', 'created_at', 'provider_reference', 'ended_at'], name='an_instruction_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddField(
            model_name='livelimit',
            name='business',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business'),
        ),
        migrations.AddField(
            model_name='livelimit',
            name='set_by',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='livespending',
            name='business',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business'),
        ),
        migrations.AddConstraint(
            model_name='livelimit',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('business',), name='one_limit_of_a_business'),
        ),
        migrations.AddConstraint(
            model_name='livelimit',
            constraint=models.CheckConstraint(condition=models.Q(('month_cents__gte', 0), ('payment_cents__gte', 0)), name='a_limit_is_never_negative'),
        ),
        migrations.AddConstraint(
            model_name='livelimit',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=[], name='limits_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddConstraint(
            model_name='livelimit',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'month_cents', 'payment_cents', 'reason', 'set_by', 'set_at', 'ended_at'], name='a_limit_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='livespending',
            constraint=models.UniqueConstraint(fields=('business', 'month'), name='one_spending_of_a_month'),
        ),
    ]

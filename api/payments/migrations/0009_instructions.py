"""What live's providers are asked to do, what they tell us, and where we disagree."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0013_index_of_folded_names'),
        ('sandbox', '0008_filtered_lists'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='ProviderEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('pev',), **{}), max_length=40, unique=True)),
                ('provider', models.CharField(max_length=31)),
                ('event_id', models.CharField(max_length=140)),
                ('object_id', models.CharField(max_length=140)),
                ('type', models.CharField(max_length=40)),
                ('sequence', models.BigIntegerField()),
                ('data', models.JSONField()),
                ('body_digest', models.BinaryField(max_length=32)),
                ('occurred_at', models.DateTimeField()),
                ('received_at', models.DateTimeField()),
                ('handled_at', models.DateTimeField(null=True)),
                ('effect', models.CharField(blank=True, max_length=20)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('provider', 'event_id'), name='an_event_of_a_provider_counts_once'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'provider', 'event_id', 'object_id', 'type', 'sequence', 'data', 'body_digest', 'occurred_at', 'received_at', 'handled_at', 'effect'], name='a_provider_event_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='ProviderBreak',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('brk',), **{}), max_length=40, unique=True)),
                ('provider', models.CharField(max_length=31)),
                ('kind', models.CharField(choices=[('contradiction', 'The provider changed its answer'), ('not_booked', 'Money that we could not book'), ('missing_here', 'Only in the statement'), ('missing_there', 'Only in our ledger'), ('other_amount', 'Another amount'), ('other_balance', 'Another balance')], max_length=20)),
                ('object_id', models.CharField(max_length=140)),
                ('currency', models.CharField(max_length=10)),
                ('says', models.CharField(max_length=400)),
                ('found_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('closed_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['business', 'currency'], name='open_breaks_of_a_business'), models.Index(fields=['-found_at', '-id'], name='breaks_in_reading_order')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('provider', 'kind', 'object_id', 'currency'), name='one_open_break_of_a_kind'), models.CheckConstraint(condition=models.Q(('kind__in', ['contradiction', 'not_booked', 'missing_here', 'missing_there', 'other_amount', 'other_balance'])), name='break_kind_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('closed_by', None), ('reason', '')), models.Q(('closed_at__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='a_closed_break_says_why'), console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['closed_at'], name='a_break_is_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'provider', 'kind', 'object_id', 'currency', 'says', 'found_at', 'closed_at', 'closed_by', 'reason'], name='a_break_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='ProviderInstruction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('provider', models.CharField(max_length=31)),
                ('kind', models.CharField(max_length=30)),
                ('body', models.JSONField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting for an answer'), ('accepted', 'Accepted'), ('stuck', 'Stuck'), ('completed', 'Completed'), ('failed', 'Failed')], default='waiting', max_length=10)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('reason', models.CharField(blank=True, max_length=40)),
                ('provider_reference', models.CharField(blank=True, max_length=140)),
                ('created_at', models.DateTimeField()),
                ('ask_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ask_at__isnull', False)), fields=['ask_at'], name='instructions_to_ask'), models.Index(condition=models.Q(('status', 'stuck')), fields=['created_at'], name='instructions_stuck'), models.Index(fields=['business', 'environment', 'ended_at'], name='instructions_of_a_day')],
                'constraints': [console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'environment', 'provider', 'kind', 'body', 'created_at', 'provider_reference', 'ended_at'], name='an_instruction_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.core.moves_constraint.MovesConstraint(arrows=['>waiting', 'accepted>completed', 'accepted>failed', 'accepted>stuck', 'stuck>accepted', 'stuck>completed', 'stuck>failed', 'stuck>waiting', 'waiting>accepted', 'waiting>completed', 'waiting>failed', 'waiting>stuck'], name='instruction_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['waiting', 'accepted', 'stuck', 'completed', 'failed'])), name='instruction_status_is_known')],
            },
        ),
    ]

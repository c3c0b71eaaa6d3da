"""Screenings of live payments."""

import console.audit.recorded
import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_saved_views'),
        ('sandbox', '0011_longest_ibans'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='PaymentScreening',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('psc',), **{}), max_length=40, unique=True)),
                ('object_id', models.CharField(max_length=40, unique=True)),
                ('kind', models.CharField(max_length=30)),
                ('amount', models.CharField(blank=True, max_length=60)),
                ('parties', models.JSONField()),
                ('status', models.CharField(choices=[('waiting', 'Waiting to be compared'), ('clear', 'No match'), ('matched', 'Possible match'), ('proposed', 'Needs a second person'), ('cleared', 'Not the same'), ('blocked', 'Blocked'), ('returned', 'Blocked, money returned')], default='waiting', max_length=20)),
                ('results', models.JSONField(default=list)),
                ('findings', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list, size=None)),
                ('compared_by', models.CharField(blank=True, max_length=40)),
                ('compared_at', models.DateTimeField(null=True)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('created_at', models.DateTimeField()),
                ('ask_at', models.DateTimeField(null=True)),
                ('proposed_at', models.DateTimeField(null=True)),
                ('proposal', models.TextField(blank=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('reason', models.TextField(blank=True)),
                ('returned_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('decided_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('returned_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('ask_at__isnull', False)), fields=['ask_at'], name='screenings_to_ask'), models.Index(condition=models.Q(('status__in', ('matched', 'proposed'))), fields=['created_at'], name='screenings_to_decide'), models.Index(condition=models.Q(('decided_at__isnull', False)), fields=['-decided_at'], name='screenings_decided'), django.contrib.postgres.indexes.GinIndex(condition=models.Q(('status', 'cleared')), fields=['findings'], name='screenings_by_cleared_finding')],
                'constraints': [console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'object_id', 'kind', 'business', 'amount', 'parties', 'compared_by', 'compared_at', 'created_at', 'decided_by', 'decided_at', 'returned_by', 'returned_at'], name='a_screening_keeps_what_it_says', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.core.moves_constraint.MovesConstraint(arrows=['>waiting', 'blocked>returned', 'matched>cleared', 'matched>proposed', 'proposed>blocked', 'proposed>matched', 'waiting>clear', 'waiting>matched'], name='screening_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'clear', 'matched', 'proposed', 'cleared', 'blocked', 'returned'])), name='screening_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('proposal', ''), ('proposed_at', None), ('proposed_by', None)), models.Q(('proposed_at__isnull', False), ('proposed_by__isnull', False), models.Q(('proposal', ''), _negated=True)), _connector='OR'), name='a_proposal_of_a_screening_is_whole'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('reason', ''), models.Q(('status__in', ('cleared', 'blocked', 'returned')), _negated=True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='a_decision_on_a_screening_is_whole'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ('blocked', 'returned')), _negated=True), models.Q(('proposed_by__isnull', False), models.Q(('proposed_by', models.F('decided_by')), _negated=True)), _connector='OR'), name='two_people_block_a_payment'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'returned'), ('returned_at__isnull', False), ('returned_by__isnull', False)), models.Q(models.Q(('status', 'returned'), _negated=True), ('returned_at', None), ('returned_by', None)), _connector='OR'), name='returned_money_says_by_whom'), console.audit.recorded.Recorded(about='', added=False, condition='OLD.proposed_by_id IS DISTINCT FROM NEW.proposed_by_id OR OLD.proposed_at IS DISTINCT FROM NEW.proposed_at OR OLD.proposal IS DISTINCT FROM NEW.proposal OR OLD.decided_at IS DISTINCT FROM NEW.decided_at OR OLD.reason IS DISTINCT FROM NEW.reason OR OLD.returned_at IS DISTINCT FROM NEW.returned_at', fields=['proposed_by', 'proposed_at', 'proposal', 'decided_at', 'reason', 'returned_at'], name='decisions_on_screenings_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')")],
            },
        ),
    ]

"""Applications, from the first answer to the decision, with dual control in the database."""

import django.contrib.postgres.fields
import console.audit.recorded
import console.core.clock
import console.core.database_rule
import console.core.frozen
import console.core.ids
import console.core.immediate_key
import console.core.moves_constraint
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('audit', '0001_initial'),
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Application',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('app',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('submitted', 'In review'), ('returned', 'Changes requested'), ('held', 'On hold'), ('cleared', 'Cleared to contract'), ('executed', 'Executed'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired')], default='draft', max_length=20)),
                ('edition', models.CharField(max_length=20)),
                ('revisions', models.JSONField(blank=True, default=dict)),
                ('message', models.TextField(blank=True)),
                ('started_at', models.DateTimeField(default=console.core.clock.now)),
                ('touched_at', models.DateTimeField(default=console.core.clock.now)),
                ('submitted_at', models.DateTimeField(null=True)),
                ('released_at', models.DateTimeField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('invitation', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.invitation')),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'submitted_at'], name='applications_by_status'), models.Index(condition=models.Q(('status__in', ('submitted', 'held'))), fields=['submitted_at', 'id'], name='applications_in_review')],
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>draft', 'cleared>declined', 'cleared>executed', 'cleared>held', 'cleared>returned', 'cleared>withdrawn', 'draft>expired', 'draft>submitted', 'draft>withdrawn', 'held>declined', 'held>submitted', 'returned>expired', 'returned>submitted', 'returned>withdrawn', 'submitted>cleared', 'submitted>declined', 'submitted>held', 'submitted>returned', 'submitted>withdrawn'], name='application_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'submitted', 'returned', 'held', 'cleared', 'executed', 'declined', 'withdrawn', 'expired'])), name='application_status_is_known'), models.UniqueConstraint(condition=models.Q(('status__in', ('draft', 'submitted', 'returned', 'held', 'cleared')), ('withdrawn_at', None)), fields=('business',), name='one_open_application_per_business'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business'], name='an_application_is_of_one_business', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), models.UniqueConstraint(fields=('id', 'business'), name='an_application_and_its_business'), console.core.immediate_key.ImmediateForeignKey(fields=['invitation', 'business'], name='an_application_has_its_own_invitation', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.Invitation', to_fields=['id', 'business'])],
            },
        ),
        migrations.CreateModel(
            name='Assessment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('asm',), **{}), max_length=40, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('model_version', models.CharField(max_length=20)),
                ('model_sha256', models.CharField(max_length=64)),
                ('lists', models.JSONField()),
                ('facts', models.JSONField()),
                ('marks', models.JSONField()),
                ('factors', models.JSONField()),
                ('floors', models.JSONField(blank=True, default=list)),
                ('knock_outs', models.JSONField(blank=True, default=list)),
                ('score_x100', models.PositiveIntegerField()),
                ('tier_by_score', models.CharField(max_length=10)),
                ('tier', models.CharField(max_length=10)),
                ('assessed_at', models.DateTimeField()),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assessments', to='onboarding.application')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'number'), name='assessments_are_numbered'), console.core.frozen.NeverChanges(name='assessments_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), models.UniqueConstraint(fields=('id', 'application'), name='an_assessment_and_its_application'), models.CheckConstraint(condition=models.Q(('score_x100__lte', 10000), ('tier__in', ['LOW', 'MEDIUM', 'HIGH', 'PROHIBITED'])), name='a_score_is_at_most_a_hundred')],
            },
        ),
        migrations.AddField(
            model_name='application',
            name='assessment',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='onboarding.assessment'),
        ),
        migrations.CreateModel(
            name='Check',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('chk',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(choices=[('registry', 'Legal identity confirmed by the register'), ('number', 'Registration number valid'), ('screening', 'No sanctions match'), ('signatory', 'Signatory identified')], max_length=20)),
                ('subject', models.CharField(max_length=40)),
                ('subject_name', models.CharField(max_length=300)),
                ('status', models.CharField(choices=[('pending', 'Not yet run'), ('running', 'Running'), ('passed', 'Passed'), ('failed', 'Failed'), ('needs_review', 'Needs review'), ('errored', 'Could not be run'), ('waived', 'Waived'), ('expired', 'Expired')], default='pending', max_length=20)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('ask_at', models.DateTimeField(null=True)),
                ('waiting_since', models.DateTimeField(null=True)),
                ('reference', models.CharField(blank=True, max_length=200)),
                ('provider', models.CharField(blank=True, max_length=60)),
                ('simulated', models.BooleanField(default=True)),
                ('says', models.TextField(blank=True)),
                ('evidence', models.JSONField(blank=True, default=dict)),
                ('finished_at', models.DateTimeField(null=True)),
                ('valid_until', models.DateTimeField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('reason', models.TextField(blank=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='onboarding.application')),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>pending', 'errored>running', 'expired>running', 'failed>running', 'failed>waived', 'needs_review>failed', 'needs_review>passed', 'passed>expired', 'passed>running', 'pending>running', 'pending>waived', 'running>errored', 'running>failed', 'running>needs_review', 'running>passed', 'waived>expired'], name='check_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'running', 'passed', 'failed', 'needs_review', 'errored', 'waived', 'expired'])), name='check_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('reason', '')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), models.Q(('reason', ''), _negated=True)), _connector='OR'), name='a_decision_on_a_check_is_whole'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'waived'), _negated=True), ('valid_until__isnull', False), _connector='OR'), name='a_waived_check_has_an_end')],
            },
        ),
        migrations.CreateModel(
            name='Reviewer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('capacity', models.CharField(choices=[('compliance', 'Compliance'), ('commercial', 'Commercial'), ('legal', 'Legal'), ('countersignatory', 'Countersignatory'), ('account_manager', 'Account manager')], max_length=20)),
                ('since', models.DateTimeField()),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviewers', to='onboarding.application')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'person'), name='one_person_one_capacity_on_a_case'), models.CheckConstraint(condition=models.Q(('capacity__in', ['compliance', 'commercial', 'legal', 'countersignatory', 'account_manager'])), name='a_capacity_is_known'), console.core.frozen.NeverChanges(name='reviewers_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), console.core.immediate_key.ImmediateForeignKey(fields=['person'], name='who_reviewed_stays', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.User', to_fields=['id'])],
            },
        ),
        migrations.CreateModel(
            name='CaseAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('clear', 'Cleared to contract'), ('hold', 'Put on hold'), ('release', 'Continued the review'), ('return', 'Returned for changes'), ('decline', 'Declined'), ('decide_check', 'Decided a check'), ('run_check_again', 'Asked for a check to be run again'), ('propose_waiver', 'Proposed to waive a check'), ('confirm_waiver', 'Waived a check'), ('refuse_waiver', 'Refused to waive a check'), ('approve', 'Approved'), ('send_back', 'Sent back'), ('countersign', 'Countersigned'), ('propose_live', 'Proposed to go live'), ('approve_live', 'Approved to go live'), ('decline_live', 'Declined to go live')], max_length=20)),
                ('outcome', models.CharField(blank=True, max_length=20)),
                ('note', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
                ('transaction', models.BigIntegerField(editable=False, null=True)),
                ('decided_check', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='onboarding.check')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='onboarding.reviewer')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['clear', 'hold', 'release', 'return', 'decline', 'decide_check', 'run_check_again', 'propose_waiver', 'confirm_waiver', 'refuse_waiver', 'approve', 'send_back', 'countersign', 'propose_live', 'approve_live', 'decline_live'])), name='an_act_on_a_case_is_known'), console.core.frozen.NeverChanges(name='acts_on_a_case_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('sub',), **{}), max_length=40, unique=True)),
                ('number', models.PositiveIntegerField()),
                ('edition', models.CharField(max_length=20)),
                ('body', models.TextField()),
                ('submission_sha256', models.CharField(max_length=64)),
                ('left_out', models.JSONField(blank=True, default=list)),
                ('restricted_list', models.CharField(max_length=40)),
                ('declaration', models.TextField()),
                ('submitted_at', models.DateTimeField()),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='onboarding.application')),
                ('submitted_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'number'), name='submissions_are_numbered'), console.core.frozen.NeverChanges(name='submissions_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), models.UniqueConstraint(fields=('id', 'application'), name='a_submission_and_its_application')],
            },
        ),
        migrations.AddField(
            model_name='check',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checks', to='onboarding.submission'),
        ),
        migrations.AddField(
            model_name='assessment',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='onboarding.submission'),
        ),
        migrations.AddField(
            model_name='application',
            name='submission',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='onboarding.submission'),
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('section', models.CharField(max_length=40)),
                ('question', models.CharField(max_length=60)),
                ('revision', models.PositiveIntegerField()),
                ('page', models.CharField(blank=True, max_length=32)),
                ('sequence', models.PositiveIntegerField(default=0)),
                ('value', models.JSONField(null=True)),
                ('typed', models.JSONField(null=True)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='answers', to='onboarding.application')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('application', 'question', 'revision'), name='one_answer_for_each_saving'), console.core.frozen.NeverChanges(name='answers_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), models.CheckConstraint(condition=models.Q(('value__isnull', True), ('typed__isnull', True), _connector='OR'), name='an_answer_is_a_value_or_what_was_typed')],
            },
        ),
        migrations.CreateModel(
            name='CheckWaiver',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('wvr',), **{}), max_length=40, unique=True)),
                ('reason', models.TextField()),
                ('ends_at', models.DateTimeField()),
                ('proposed_at', models.DateTimeField()),
                ('confirmed', models.BooleanField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision_reason', models.TextField(blank=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('waived_check', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='waivers', to='onboarding.check')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('decided_at', None)), fields=('waived_check',), name='one_waiver_of_a_check_waits'), models.CheckConstraint(condition=models.Q(models.Q(('reason', ''), _negated=True), ('ends_at__gt', models.F('proposed_at'))), name='a_waiver_has_a_reason_and_an_end'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed', None), ('decided_at', None), ('decided_by', None), ('decision_reason', '')), models.Q(('confirmed__isnull', False), ('decided_at__isnull', False), ('decided_by__isnull', False)), _connector='OR'), name='a_decision_on_a_waiver_is_whole'), models.CheckConstraint(condition=models.Q(('decided_by', None), models.Q(('decided_by', models.F('proposed_by')), _negated=True), _connector='OR'), name='two_people_waive_a_check'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'waived_check', 'reason', 'ends_at', 'proposed_by', 'proposed_at', 'confirmed', 'decided_by', 'decided_at', 'decision_reason'], name='a_decided_waiver_stays', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=models.UniqueConstraint(fields=('submission', 'kind', 'subject'), name='one_check_for_each_question'),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'application', 'submission'], name='a_check_is_of_one_case', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'application'], name='a_check_is_of_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='assessment',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'application'], name='an_assessment_is_of_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'returned', 'withdrawn', 'expired']), models.Q(('submission__isnull', False), ('submitted_at__isnull', False)), _connector='OR'), name='what_is_reviewed_was_submitted'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['cleared', 'executed']), _negated=True), ('assessment__isnull', False), _connector='OR'), name='what_is_cleared_was_assessed'),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['submission', 'id'], name='an_application_has_its_own_submission', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Submission', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['assessment', 'id'], name='an_application_has_its_own_assessment', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Assessment', to_fields=['id', 'application']),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_note_participant', sql="CREATE FUNCTION public.onboarding_note_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  business bigint;\n  who bigint;\nBEGIN\n  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;\n  SELECT business_id INTO business FROM public.onboarding_application\n  WHERE id = NEW.application_id;\n  PERFORM public.accounts_note_participant(business, who);\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER who_answers_is_a_participant AFTER INSERT ON public.onboarding_answer\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('by_id');\nCREATE TRIGGER who_submits_is_a_participant AFTER INSERT ON public.onboarding_submission\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_note_participant('submitted_by_id');\n"),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_act', sql="CREATE FUNCTION public.onboarding_require_act() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  kinds text[];\nBEGIN\n  kinds := CASE\n    WHEN NEW.status = 'returned' THEN ARRAY['return', 'send_back']\n    WHEN NEW.status = 'declined' THEN ARRAY['decline']\n    WHEN NEW.status = 'submitted' AND OLD.status = 'held' THEN ARRAY['release']\n    -- The system clears cases that need no reviewer.\n    WHEN NEW.status = 'cleared' AND EXISTS (\n      SELECT FROM public.onboarding_assessment\n      WHERE id = NEW.assessment_id AND tier NOT IN ('LOW', 'MEDIUM')) THEN ARRAY['clear'] END;\n  IF kinds IS NOT NULL AND NOT EXISTS (\n    SELECT FROM public.onboarding_caseact AS act\n    JOIN public.onboarding_reviewer AS reviewer ON reviewer.id = act.reviewer_id\n    WHERE reviewer.application_id = NEW.id AND act.kind = ANY (kinds)\n      AND act.transaction = pg_current_xact_id()::text::bigint) THEN\n    RAISE EXCEPTION 'an application becomes % by the act of a reviewer', NEW.status\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_is_judged_has_its_act\nBEFORE UPDATE OF status ON public.onboarding_application\nFOR EACH ROW WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION public.onboarding_require_act();\n"),
        ),
        migrations.AddConstraint(
            model_name='caseact',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_fitting_act', sql="CREATE FUNCTION public.onboarding_require_fitting_act() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  acted record;\nBEGIN\n  SELECT application_id, capacity INTO acted\n  FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;\n  IF (CASE\n      WHEN NEW.kind IN ('approve', 'send_back')\n        THEN acted.capacity IN ('compliance', 'commercial', 'legal')\n      WHEN NEW.kind = 'countersign' THEN acted.capacity = 'countersignatory'\n      WHEN NEW.kind = 'propose_live' THEN acted.capacity = 'account_manager'\n      ELSE acted.capacity = 'compliance' END) IS NOT TRUE\n    OR NOT (NEW.decided_check_id IS NULL OR EXISTS (\n      SELECT FROM public.onboarding_check\n      WHERE id = NEW.decided_check_id AND application_id = acted.application_id)) THEN\n    RAISE EXCEPTION 'an act is one of its reviewer''s capacity, on their own case'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  NEW.transaction := pg_current_xact_id()::text::bigint;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER an_act_is_of_its_capacity BEFORE INSERT ON public.onboarding_caseact\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_require_fitting_act();\n"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_reviewer', sql="CREATE FUNCTION public.onboarding_require_reviewer() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF TG_OP = 'UPDATE' AND OLD.decided_by_id = NEW.decided_by_id\n     AND OLD.application_id = NEW.application_id THEN\n    RETURN NEW;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_reviewer\n    WHERE application_id = NEW.application_id AND person_id = NEW.decided_by_id\n      AND capacity = 'compliance') THEN\n    RAISE EXCEPTION 'a check is decided by a reviewer of its case, as compliance'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_check_is_decided_by_its_reviewer\nBEFORE INSERT OR UPDATE OF decided_by_id, application_id ON public.onboarding_check\nFOR EACH ROW WHEN (NEW.decided_by_id IS NOT NULL)\nEXECUTE FUNCTION public.onboarding_require_reviewer();\n"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_waiver', sql="CREATE FUNCTION public.onboarding_require_waiver() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_checkwaiver\n    WHERE waived_check_id = NEW.id AND confirmed AND ends_at = NEW.valid_until) THEN\n    RAISE EXCEPTION 'a check is waived by two people, until the end that they set'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_check_is_waived_by_two\nBEFORE INSERT OR UPDATE OF status, valid_until ON public.onboarding_check\nFOR EACH ROW WHEN (NEW.status = 'waived') EXECUTE FUNCTION public.onboarding_require_waiver();\n"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_act_on_check', sql="CREATE FUNCTION public.onboarding_require_act_on_check() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_caseact\n    WHERE decided_check_id = NEW.id AND kind = 'decide_check' AND outcome = NEW.status\n      AND transaction = pg_current_xact_id()::text::bigint) THEN\n    RAISE EXCEPTION 'a check that needs a person becomes % by the act of a reviewer', NEW.status\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_check_that_needs_a_person_has_one\nBEFORE UPDATE OF status ON public.onboarding_check\nFOR EACH ROW WHEN (OLD.status = 'needs_review' AND NEW.status <> OLD.status)\nEXECUTE FUNCTION public.onboarding_require_act_on_check();\n"),
        ),
        migrations.AddConstraint(
            model_name='checkwaiver',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_require_waiver_reviewers', sql="CREATE FUNCTION public.onboarding_require_waiver_reviewers() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who bigint;\nBEGIN\n  FOREACH who IN ARRAY array_remove(ARRAY[NEW.proposed_by_id, NEW.decided_by_id], NULL) LOOP\n    IF NOT EXISTS (\n      SELECT FROM public.onboarding_reviewer AS reviewer\n      JOIN public.onboarding_check AS waived ON waived.application_id = reviewer.application_id\n      WHERE waived.id = NEW.waived_check_id AND reviewer.person_id = who\n        AND reviewer.capacity = 'compliance') THEN\n      RAISE EXCEPTION 'a check is waived by reviewers of its case, as compliance'\n        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n    END IF;\n  END LOOP;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_waiver_is_by_reviewers_of_its_case\nBEFORE INSERT OR UPDATE ON public.onboarding_checkwaiver\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_require_waiver_reviewers();\n"),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_refuse_participant', sql="-- This and onboarding_refuse_reviewer lock the business, so both cannot happen at once.\nCREATE FUNCTION public.onboarding_refuse_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  business bigint;\nBEGIN\n  SELECT business_id INTO business FROM public.onboarding_application\n  WHERE id = NEW.application_id;\n  PERFORM FROM public.accounts_business WHERE id = business FOR NO KEY UPDATE;\n  IF EXISTS (SELECT FROM public.accounts_participant\n             WHERE business_id = business AND person_id = NEW.person_id) THEN\n    RAISE EXCEPTION 'who took part for a business does not review its case'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_reviewer_never_took_part BEFORE INSERT ON public.onboarding_reviewer\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_participant();\n"),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_refuse_reviewer', sql="-- This and onboarding_refuse_participant lock the business, so both cannot happen at once.\nCREATE FUNCTION public.onboarding_refuse_reviewer() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;\n  IF EXISTS (SELECT FROM public.onboarding_reviewer AS reviewer\n             JOIN public.onboarding_application AS application\n               ON application.id = reviewer.application_id\n             WHERE application.business_id = NEW.business_id\n               AND reviewer.person_id = NEW.person_id) THEN\n    RAISE EXCEPTION 'who reviewed a case of a business does not take part for it'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_participant_never_reviewed BEFORE INSERT ON public.accounts_participant\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_reviewer();\n"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_keep_results', sql="-- A provider's result is written as a check finishes; a simulated one may be removed while it\n-- waits for a reviewer. Running a check again clears `finished_at`.\nCREATE FUNCTION public.onboarding_keep_results() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF OLD.status <> 'running' AND NOT (OLD.status = 'needs_review' AND OLD.simulated)\n    AND (OLD.provider, OLD.simulated, OLD.says, OLD.evidence, OLD.reference, OLD.finished_at)\n      IS DISTINCT FROM (NEW.provider, NEW.simulated, NEW.says, NEW.evidence,\n        CASE NEW.status WHEN 'running' THEN OLD.reference ELSE NEW.reference END,\n        COALESCE(NEW.finished_at, OLD.finished_at))\n    OR NEW.status = OLD.status AND NEW.valid_until IS DISTINCT FROM OLD.valid_until\n  THEN\n    RAISE EXCEPTION 'the result of a check that is % never changes', OLD.status\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER results_of_checks_are_kept BEFORE UPDATE ON public.onboarding_check\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_keep_results();\n"),
        ),
        migrations.AddConstraint(
            model_name='check',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.provider IS DISTINCT FROM NEW.provider OR OLD.simulated IS DISTINCT FROM NEW.simulated OR OLD.says IS DISTINCT FROM NEW.says OR OLD.evidence IS DISTINCT FROM NEW.evidence OR OLD.finished_at IS DISTINCT FROM NEW.finished_at OR OLD.valid_until IS DISTINCT FROM NEW.valid_until', fields=['provider', 'simulated', 'says', 'evidence', 'finished_at', 'valid_until'], name='results_of_checks_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.CreateModel(
            name='ProviderOutage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('provider', models.CharField(max_length=60, unique=True)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('until', models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddIndex(
            model_name='check',
            index=models.Index(condition=models.Q(('ask_at__isnull', False)), fields=['ask_at'], name='checks_to_ask'),
        ),
        migrations.AddIndex(
            model_name='answer',
            index=models.Index(condition=models.Q(('question', 'li_registration_number')), fields=['value'], name='registration_numbers'),
        ),
        migrations.CreateModel(
            name='CaseNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('nte',), **{}), max_length=40, unique=True)),
                ('text', models.TextField()),
                ('mentioned', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('at', models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name='application',
            name='case_owner',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='application',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.case_owner_id IS DISTINCT FROM NEW.case_owner_id', fields=['case_owner'], name='case_owners_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddField(
            model_name='casenote',
            name='application',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='onboarding.application'),
        ),
        migrations.AddField(
            model_name='casenote',
            name='author',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='casenote',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='a_note_says_something'),
        ),
        migrations.AddConstraint(
            model_name='casenote',
            constraint=console.core.frozen.NeverChanges(name='case_notes_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"),
        ),
        migrations.AddConstraint(
            model_name='casenote',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['text'], name='case_notes_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

"""Packs, documents, signatures and decisions; packs are numbered from a sequence."""

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
        ('accounts', '0001_initial'),
        ('onboarding', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Pack',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('pak',), **{}), max_length=40, unique=True)),
                ('number', models.CharField(max_length=20, unique=True)),
                ('status', models.CharField(choices=[('generating', 'Being prepared'), ('quarantined', 'Preparation stopped'), ('generated', 'Prepared'), ('in_review', 'To be read'), ('ready_to_sign', 'Ready to sign'), ('partly_signed', 'Partly signed'), ('signed', 'Signed'), ('in_approval', 'With our approvers'), ('returned', 'Changes requested'), ('rejected', 'Refused'), ('stale', 'Out of date'), ('approved', 'Approved'), ('countersigning', 'Being sealed'), ('seal_failed', 'Sealing stopped'), ('executed', 'Executed'), ('withdrawn', 'Withdrawn'), ('expired', 'Expired')], default='generating', max_length=20)),
                ('tier', models.CharField(max_length=10)),
                ('versions', models.JSONField(default=dict)),
                ('failures', models.PositiveIntegerField(default=0)),
                ('trouble', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('offered_at', models.DateTimeField(null=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('signed_at', models.DateTimeField(null=True)),
                ('approved_at', models.DateTimeField(null=True)),
                ('executed_at', models.DateTimeField(null=True)),
                ('fence', models.PositiveIntegerField(default=0)),
                ('leased_until', models.DateTimeField(null=True)),
                ('manifest_sha256', models.CharField(blank=True, max_length=64)),
                ('certificate_sha256', models.CharField(blank=True, max_length=64)),
                ('bundle_sha256', models.CharField(blank=True, max_length=64)),
                ('seal_state', models.JSONField(default=dict)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='onboarding.application')),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['status', 'expires_at'], name='packs_by_status')],
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>generating', 'approved>countersigning', 'approved>stale', 'approved>withdrawn', 'countersigning>executed', 'countersigning>seal_failed', 'generated>in_review', 'generated>stale', 'generated>withdrawn', 'generating>generated', 'generating>quarantined', 'generating>stale', 'generating>withdrawn', 'in_approval>approved', 'in_approval>rejected', 'in_approval>returned', 'in_approval>stale', 'in_approval>withdrawn', 'in_review>expired', 'in_review>ready_to_sign', 'in_review>stale', 'in_review>withdrawn', 'partly_signed>expired', 'partly_signed>signed', 'partly_signed>stale', 'partly_signed>withdrawn', 'quarantined>generating', 'quarantined>stale', 'quarantined>withdrawn', 'ready_to_sign>expired', 'ready_to_sign>in_review', 'ready_to_sign>partly_signed', 'ready_to_sign>signed', 'ready_to_sign>stale', 'ready_to_sign>withdrawn', 'returned>generating', 'returned>withdrawn', 'seal_failed>countersigning', 'signed>in_approval', 'signed>stale', 'signed>withdrawn', 'stale>generating', 'stale>withdrawn'], name='pack_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['generating', 'quarantined', 'generated', 'in_review', 'ready_to_sign', 'partly_signed', 'signed', 'in_approval', 'returned', 'rejected', 'stale', 'approved', 'countersigning', 'seal_failed', 'executed', 'withdrawn', 'expired'])), name='pack_status_is_known'), models.UniqueConstraint(condition=models.Q(('status__in', ('withdrawn', 'expired', 'rejected')), _negated=True), fields=('application',), name='one_live_pack_per_application'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'created_at', 'number', 'business', 'application', 'executed_at', 'manifest_sha256', 'certificate_sha256', 'bundle_sha256'], name='what_was_sealed_never_changes', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.core.frozen.KeptWhile(fields=['approved_at'], name='an_approval_keeps_its_time', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['approved', 'countersigning', 'seal_failed', 'executed']), console.core.frozen.KeptWhile(fields=['seal_state'], name='a_seal_is_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['executed']), console.core.frozen.SetOnce(anew='generating', deletable=False, fields=['tier'], name='a_packs_tier_is_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.core.frozen.SetOnce(anew='generating', deletable=False, fields=['versions'], name='a_packs_versions_are_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), console.core.immediate_key.ImmediateForeignKey(fields=['application', 'business'], name='a_pack_is_of_its_own_application', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='onboarding.Application', to_fields=['id', 'business'])],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('facts_sha256', models.CharField(max_length=64)),
                ('ruleset_sha256', models.CharField(max_length=64)),
                ('trace_sha256', models.CharField(max_length=64)),
                ('profile_sha256', models.CharField(blank=True, max_length=64)),
                ('offer_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('signed_set_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('signatory', models.JSONField(default=dict)),
                ('products', models.JSONField(default=list)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('pack', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='revisions', to='agreements.pack')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pack', 'number'), name='revisions_of_a_pack_are_counted'), models.CheckConstraint(condition=models.Q(('signed_set_sha256', ''), models.Q(('offer_sha256', ''), _negated=True), _connector='OR'), name='only_an_offer_is_signed'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'made_at', 'pack', 'number', 'facts_sha256', 'ruleset_sha256', 'trace_sha256', 'profile_sha256', 'offer_sha256', 'signed_set_sha256', 'signatory', 'products'], name='what_was_offered_never_changes', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), models.UniqueConstraint(fields=('id', 'pack'), name='a_revision_and_its_pack')],
            },
        ),
        migrations.AddField(
            model_name='pack',
            name='revision',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='agreements.revision'),
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('doc',), **{}), max_length=40, unique=True)),
                ('order', models.PositiveIntegerField()),
                ('code', models.CharField(max_length=20)),
                ('title', models.CharField(max_length=200)),
                ('reference', models.CharField(max_length=140)),
                ('status', models.CharField(choices=[('rendering', 'Being prepared'), ('rendered', 'Prepared'), ('offered', 'To be read'), ('accepted', 'Accepted'), ('signed', 'Signed'), ('in_force', 'Executed'), ('dropped', 'Replaced')], default='rendering', max_length=20)),
                ('html_sha256', models.CharField(blank=True, max_length=64)),
                ('unsigned_sha256', models.CharField(blank=True, max_length=64)),
                ('unsigned_bytes', models.PositiveIntegerField(default=0)),
                ('pages', models.PositiveIntegerField(default=0)),
                ('sealed_sha256', models.CharField(blank=True, db_index=True, max_length=64)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='documents', to='agreements.revision')),
            ],
            options={
                'indexes': [models.Index(fields=['unsigned_sha256'], name='documents_by_unsigned')],
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>rendering', 'accepted>dropped', 'accepted>offered', 'accepted>signed', 'offered>accepted', 'offered>dropped', 'rendered>dropped', 'rendered>offered', 'rendering>dropped', 'rendering>rendered', 'signed>dropped', 'signed>in_force'], name='document_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.UniqueConstraint(fields=('revision', 'code'), name='a_document_stands_once_in_a_pack'), models.CheckConstraint(condition=models.Q(('status__in', ['rendering', 'dropped']), models.Q(models.Q(('unsigned_sha256', ''), _negated=True), models.Q(('html_sha256', ''), _negated=True), ('pages__gt', 0)), _connector='OR'), name='what_is_offered_was_rendered'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'in_force'), _negated=True), models.Q(('sealed_sha256', ''), _negated=True), _connector='OR'), name='what_is_in_force_is_sealed'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'revision', 'order', 'code', 'title', 'reference', 'html_sha256', 'unsigned_sha256', 'unsigned_bytes', 'pages', 'sealed_sha256'], name='what_was_rendered_never_changes', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('apr',), **{}), max_length=40, unique=True)),
                ('role', models.CharField(choices=[('compliance', 'Compliance'), ('commercial', 'Commercial'), ('legal', 'Legal'), ('countersignatory', 'Countersignatory'), ('account_manager', 'Account manager')], max_length=20)),
                ('place', models.PositiveIntegerField(default=1)),
                ('verdict', models.CharField(choices=[('approved', 'Approved'), ('returned', 'Changes requested'), ('countersigned', 'Countersigned')], max_length=20)),
                ('note', models.TextField(blank=True)),
                ('as_head', models.BooleanField(default=False)),
                ('refused_products', models.JSONField(default=dict)),
                ('signed_set_sha256', models.CharField(max_length=64)),
                ('body', models.TextField()),
                ('decision_sha256', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='agreements.revision')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('revision', 'person'), name='nobody_decides_twice_on_a_pack'), models.UniqueConstraint(fields=('revision', 'role', 'place'), name='a_place_is_decided_once'), models.CheckConstraint(condition=models.Q(models.Q(('role', 'countersignatory'), ('verdict', 'countersigned')), models.Q(models.Q(('role', 'countersignatory'), _negated=True), models.Q(('verdict', 'countersigned'), _negated=True)), _connector='OR'), name='approvers_approve_and_countersignatories_countersign'), models.CheckConstraint(condition=models.Q(('refused_products', {}), models.Q(('role', 'commercial'), ('verdict', 'approved'), models.Q(('refused_products__has_any_keys', ['balances', 'webhooks']), _negated=True)), _connector='OR'), name='products_are_refused_by_commercial_and_never_the_base'), console.core.frozen.NeverChanges(name='decisions_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='SealCheck',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('problem', models.TextField(blank=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='the_last_seal_check_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='SignatureAct',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('act',), **{}), max_length=40, unique=True)),
                ('offer_sha256', models.CharField(max_length=64)),
                ('statement', models.TextField()),
                ('body', models.TextField()),
                ('act_sha256', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('revision', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='acts', to='agreements.revision')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('revision', 'person'), name='a_person_signs_once'), console.core.frozen.NeverChanges(name='signatures_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='CompanyDetails',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.CharField(max_length=40, unique=True)),
                ('body', models.TextField()),
                ('entered_at', models.DateTimeField()),
                ('entered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [console.core.frozen.NeverChanges(name='company_details_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='ExecutedFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('seal_sha256', models.CharField(max_length=64)),
                ('stamped_at', models.DateTimeField(null=True)),
                ('document', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='agreements.document')),
                ('pack', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='executed_files', to='agreements.pack')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pack', 'name'), name='a_pack_has_each_file_once'), console.core.frozen.NeverChanges(name='executed_files_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='PackEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('body', models.TextField()),
                ('hash', models.CharField(max_length=64)),
                ('pack', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='agreements.pack')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('pack', 'seq'), name='a_packs_events_have_no_fork'), console.core.frozen.NeverChanges(name='pack_events_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='Receipt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('html_sha256', models.CharField(blank=True, max_length=64)),
                ('unsigned_sha256', models.CharField(max_length=64)),
                ('opened_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField()),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='receipts', to='agreements.document')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('document', 'person'), name='a_paper_is_accepted_once_by_a_person'), models.CheckConstraint(condition=models.Q(('accepted_at__gte', models.F('opened_at'))), name='what_is_accepted_was_opened'), console.core.frozen.SetOnce(anew='', deletable=True, fields=['id', 'document', 'person', 'html_sha256', 'unsigned_sha256', 'opened_at', 'accepted_at'], name='receipts_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'executed'), _negated=True), models.Q(('executed_at__isnull', False), ('revision__isnull', False), models.Q(('manifest_sha256', ''), _negated=True), models.Q(('certificate_sha256', ''), _negated=True), models.Q(('bundle_sha256', ''), _negated=True)), _connector='OR'), name='what_is_executed_is_sealed'),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.frozen.KeptWhile(fields=['revision', 'offered_at', 'expires_at', 'signed_at'], name='what_was_signed_is_kept', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_late_change('%(label)s', '%(arguments)s', '%(statuses)s')", statuses=['signed', 'in_approval', 'approved', 'countersigning', 'seal_failed', 'executed']),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['revision', 'id'], name='a_pack_has_its_own_revision', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='agreements.Revision', to_fields=['id', 'pack']),
        ),
        migrations.RunSQL(
            "CREATE SEQUENCE public.agreements_pack_number", "DROP SEQUENCE public.agreements_pack_number"
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_require_reviewer', sql="CREATE FUNCTION public.agreements_require_reviewer() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.agreements_revision AS revision\n    JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id\n    JOIN public.onboarding_reviewer AS reviewer\n      ON reviewer.application_id = pack.application_id\n    WHERE revision.id = NEW.revision_id AND reviewer.person_id = NEW.person_id\n      AND reviewer.capacity = NEW.role) THEN\n    RAISE EXCEPTION 'a pack is decided on by a reviewer of its case, in their one capacity'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_decision_is_its_reviewers BEFORE INSERT ON public.agreements_decision\nFOR EACH ROW EXECUTE FUNCTION public.agreements_require_reviewer();\n"),
        ),
        migrations.AddConstraint(
            model_name='document',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_refuse_late_document', sql="CREATE FUNCTION public.agreements_refuse_late_document() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF EXISTS (\n    SELECT FROM public.agreements_revision\n    WHERE id = NEW.revision_id AND signed_set_sha256 <> '') THEN\n    RAISE EXCEPTION 'what was signed gets no further document'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER what_was_signed_gets_no_document BEFORE INSERT ON public.agreements_document\nFOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_document();\n"),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_require_tier_of_case', sql="CREATE FUNCTION public.agreements_require_tier_of_case() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF TG_OP = 'UPDATE' AND NEW.tier = OLD.tier THEN RETURN NEW; END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_application AS application\n    JOIN public.onboarding_assessment AS assessment ON assessment.id = application.assessment_id\n    WHERE application.id = NEW.application_id AND assessment.tier = NEW.tier) THEN\n    RAISE EXCEPTION 'a pack has the tier of its case'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_tier_is_that_of_its_case BEFORE INSERT OR UPDATE OF tier ON public.agreements_pack\nFOR EACH ROW EXECUTE FUNCTION public.agreements_require_tier_of_case();\n"),
        ),
        migrations.AddConstraint(
            model_name='pack',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_require_decisions', sql="CREATE FUNCTION public.agreements_require_decisions() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  decided boolean;\nBEGIN\n  IF NEW.status = 'approved' THEN\n    SELECT bool_or(role = 'commercial') AND bool_or(role = 'legal')\n      AND count(*) FILTER (WHERE role = 'compliance') >= CASE NEW.tier WHEN 'HIGH' THEN 2 ELSE 1 END\n      AND (NEW.tier <> 'HIGH' OR bool_or(role = 'compliance' AND as_head))\n    INTO decided\n    FROM public.agreements_decision WHERE revision_id = NEW.revision_id AND verdict = 'approved';\n  ELSE\n    SELECT count(*) > 0 INTO decided FROM public.agreements_decision\n    WHERE revision_id = NEW.revision_id\n      AND verdict = CASE NEW.status WHEN 'returned' THEN 'returned' ELSE 'countersigned' END;\n  END IF;\n  IF decided IS NOT TRUE THEN\n    RAISE EXCEPTION 'a pack becomes % by the decisions on its revision', NEW.status\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_pack_is_decided_by_its_approvers BEFORE UPDATE OF status ON public.agreements_pack\nFOR EACH ROW WHEN (\n  NEW.status <> OLD.status AND NEW.status IN ('approved', 'returned', 'countersigning'))\nEXECUTE FUNCTION public.agreements_require_decisions();\n"),
        ),
        migrations.AddConstraint(
            model_name='receipt',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_keep_receipts', sql="-- Taking an acceptance back removes its receipt, until the pack is signed.\nCREATE FUNCTION public.agreements_keep_receipts() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  receipt record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;\nBEGIN\n  IF EXISTS (\n    SELECT FROM public.agreements_document AS document\n    JOIN public.agreements_revision AS revision ON revision.id = document.revision_id\n    WHERE document.id = receipt.document_id AND revision.signed_set_sha256 <> ''\n  ) THEN\n    RAISE EXCEPTION 'receipts of what was signed are kept, and none is added'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN receipt;\nEND $$;\nCREATE TRIGGER receipts_of_what_was_signed_are_kept\nBEFORE INSERT OR DELETE ON public.agreements_receipt\nFOR EACH ROW EXECUTE FUNCTION public.agreements_keep_receipts();\n"),
        ),
        migrations.AddConstraint(
            model_name='signatureact',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_signatory_is_participant', sql='CREATE FUNCTION public.agreements_signatory_is_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  business bigint;\nBEGIN\n  SELECT pack.business_id INTO business FROM public.agreements_revision AS revision\n  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id\n  WHERE revision.id = NEW.revision_id;\n  PERFORM public.accounts_note_participant(business, NEW.person_id);\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER who_signs_is_a_participant AFTER INSERT ON public.agreements_signatureact\nFOR EACH ROW EXECUTE FUNCTION public.agreements_signatory_is_participant();\n'),
        ),
        migrations.AddConstraint(
            model_name='executedfile',
            constraint=console.core.database_rule.DatabaseRule(name='agreements_refuse_late_file', sql="-- Files are added by the transaction that executes their pack, and never later.\nCREATE FUNCTION public.agreements_refuse_late_file() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  wanted text := CASE TG_WHEN WHEN 'BEFORE' THEN 'countersigning' ELSE 'executed' END;\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.agreements_pack WHERE id = NEW.pack_id AND status = wanted) THEN\n    RAISE EXCEPTION 'files of a pack are added as it is executed'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER an_executed_pack_gets_no_file BEFORE INSERT ON public.agreements_executedfile\nFOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_file();\nCREATE CONSTRAINT TRIGGER files_are_of_an_executed_pack AFTER INSERT\nON public.agreements_executedfile DEFERRABLE INITIALLY DEFERRED\nFOR EACH ROW EXECUTE FUNCTION public.agreements_refuse_late_file();\n"),
        ),
    ]

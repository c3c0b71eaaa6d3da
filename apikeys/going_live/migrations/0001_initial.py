"""Requests to go live with who agreed to them; what shows that live may open, and what it lost."""

import console.core.database_rule
import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.contrib.postgres.fields
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
        ('apikeys', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='FirstSandboxCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.CharField(max_length=40)),
                ('request_id', models.CharField(max_length=40)),
                ('operation', models.CharField(max_length=80)),
                ('at', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'product'), name='one_first_call_of_a_product'), console.core.frozen.NeverChanges(name='first_calls_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='GoLiveRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('glr',), **{}), max_length=40, unique=True)),
                ('products', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('status', models.CharField(choices=[('requested', 'Requested'), ('approved', 'Approved'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='requested', max_length=20)),
                ('requested_at', models.DateTimeField()),
                ('proposed_at', models.DateTimeField(null=True)),
                ('proposal', models.TextField(blank=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision_reason', models.TextField(blank=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('application', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='onboarding.application')),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.business')),
                ('confirmed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>requested', 'requested>approved', 'requested>declined', 'requested>withdrawn'], name='go_live_request_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['requested', 'approved', 'declined', 'withdrawn'])), name='go_live_request_status_is_known'), models.UniqueConstraint(condition=models.Q(('status', 'requested')), fields=('business',), name='one_go_live_request_at_a_time'), models.CheckConstraint(condition=models.Q(('products', []), _negated=True), name='going_live_takes_a_product'), models.CheckConstraint(condition=models.Q(models.Q(('proposal', ''), ('proposed_at', None), ('proposed_by', None)), models.Q(('proposed_at__isnull', False), ('proposed_by__isnull', False), models.Q(('proposal', ''), _negated=True)), _connector='OR'), name='a_proposal_to_go_live_is_whole'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('decision_reason', ''), models.Q(('status__in', ('approved', 'declined')), _negated=True)), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('status__in', ('approved', 'declined')), models.Q(('decision_reason', ''), _negated=True)), _connector='OR'), name='a_decision_to_go_live_is_whole'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'approved'), _negated=True), ('proposed_by__isnull', False), _connector='OR'), name='what_is_approved_was_proposed'), models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at', None), ('withdrawn_by', None), models.Q(('status', 'withdrawn'), _negated=True)), models.Q(('status', 'withdrawn'), ('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='a_withdrawal_says_by_whom'), models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at', None), ('confirmed_by', None)), models.Q(('confirmed_at__isnull', False), ('confirmed_by__isnull', False), ('status', 'approved')), _connector='OR'), name='what_is_confirmed_was_approved'), models.CheckConstraint(condition=models.Q(models.Q(('proposed_by', None), ('decided_by', None), models.Q(('decided_by', models.F('proposed_by')), _negated=True), _connector='OR'), models.Q(('confirmed_by', None), models.Q(('confirmed_by', models.F('proposed_by')), _negated=True), _connector='OR'), models.Q(('confirmed_by', None), models.Q(('confirmed_by', models.F('decided_by')), _negated=True), _connector='OR')), name='going_live_takes_three_people'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'business', 'application', 'products', 'requested_by', 'requested_at', 'proposed_by', 'proposed_at', 'proposal', 'decided_by', 'decided_at', 'decision_reason', 'confirmed_by', 'confirmed_at'], name='go_live_requests_keep_who_did_what', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='UnmetCondition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('umc',), **{}), max_length=40, unique=True)),
                ('key', models.CharField(max_length=60)),
                ('title', models.CharField(max_length=100)),
                ('found_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('settled_at', None)), fields=('business', 'key'), name='an_unmet_condition_is_told_once'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['business', 'key', 'title', 'found_at', 'settled_at'], name='unmet_conditions_are_settled_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.AddConstraint(
            model_name='goliverequest',
            constraint=console.core.database_rule.DatabaseRule(name='going_live_require_people', sql="CREATE FUNCTION public.going_live_require_people() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who bigint;\nBEGIN\n  IF NOT EXISTS (\n    SELECT FROM public.onboarding_application\n    WHERE id = NEW.application_id AND business_id = NEW.business_id) THEN\n    RAISE EXCEPTION 'a request to go live is about an application of its own business'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  FOREACH who IN ARRAY array_remove(\n    ARRAY[NEW.requested_by_id, NEW.withdrawn_by_id, NEW.confirmed_by_id], NULL) LOOP\n    IF NOT EXISTS (\n      SELECT FROM public.accounts_participant\n      WHERE business_id = NEW.business_id AND person_id = who) THEN\n      RAISE EXCEPTION 'the people of a business ask to go live, withdraw it and confirm it'\n        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n    END IF;\n  END LOOP;\n  IF EXISTS (\n    SELECT FROM (VALUES (NEW.proposed_by_id, 'account_manager'),\n                        (NEW.decided_by_id, 'compliance')) AS judged (person, capacity)\n    WHERE judged.person IS NOT NULL AND NOT EXISTS (\n      SELECT FROM public.onboarding_reviewer AS reviewer\n      WHERE reviewer.application_id = NEW.application_id\n        AND reviewer.person_id = judged.person AND reviewer.capacity = judged.capacity)) THEN\n    RAISE EXCEPTION 'a request to go live is judged by reviewers of its case'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER going_live_is_by_its_people\nBEFORE INSERT OR UPDATE ON public.going_live_goliverequest\nFOR EACH ROW EXECUTE FUNCTION public.going_live_require_people();\n"),
        ),
        migrations.AddConstraint(
            model_name='goliverequest',
            constraint=console.core.database_rule.DatabaseRule(name='going_live_require_confirmation', sql="CREATE FUNCTION public.going_live_require_confirmation() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF EXISTS (\n    SELECT FROM unnest(NEW.live_products) AS live (product)\n    WHERE NEW.environment <> 'live' OR NOT EXISTS (\n      SELECT FROM public.going_live_goliverequest AS asked\n      WHERE asked.business_id = NEW.business_id AND asked.confirmed_at IS NOT NULL\n        AND live.product = ANY (asked.products))) THEN\n    RAISE EXCEPTION 'a product goes live once a request that names it is confirmed'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER live_products_were_confirmed\nBEFORE INSERT OR UPDATE OF live_products, business_id, environment ON public.apikeys_grant\nFOR EACH ROW EXECUTE FUNCTION public.going_live_require_confirmation();\n"),
        ),
    ]

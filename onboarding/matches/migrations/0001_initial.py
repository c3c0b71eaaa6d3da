"""Possible matches with list entries, and decisions about them."""

import console.audit.recorded
import console.core.database_rule
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('audit', '0001_initial'),
        ('onboarding', '0001_initial'),
        ('screening', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PossibleMatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('pmt',), **{}), max_length=40, unique=True)),
                ('party', models.JSONField()),
                ('party_sha256', models.CharField(max_length=64)),
                ('entry_sha256', models.CharField(max_length=64)),
                ('score', models.PositiveSmallIntegerField()),
                ('name', models.TextField()),
                ('parts', models.JSONField()),
                ('model_version', models.CharField(max_length=40)),
                ('found_at', models.DateTimeField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='screening.listentry')),
            ],
        ),
        migrations.CreateModel(
            name='MatchDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('mdc',), **{}), max_length=40, unique=True)),
                ('outcome', models.CharField(choices=[('not_same', 'Not the same'), ('cannot_tell', 'Cannot tell'), ('same', 'The same')], max_length=20)),
                ('reason', models.TextField()),
                ('decided_at', models.DateTimeField()),
                ('confirmed', models.BooleanField(null=True)),
                ('second_at', models.DateTimeField(null=True)),
                ('second_reason', models.TextField(blank=True)),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_check', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='match_decisions', to='onboarding.check')),
                ('second_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='decisions', to='matches.possiblematch')),
            ],
        ),
        migrations.AddConstraint(
            model_name='possiblematch',
            constraint=models.UniqueConstraint(fields=('party_sha256', 'entry'), name='one_match_of_a_party_and_an_entry'),
        ),
        migrations.AddConstraint(
            model_name='possiblematch',
            constraint=console.core.frozen.NeverChanges(name='possible_matches_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=models.UniqueConstraint(condition=models.Q(('outcome', 'same'), ('second_at', None)), fields=('match',), name='one_confirmation_of_a_match_waits'),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=models.CheckConstraint(condition=models.Q(('outcome__in', ['not_same', 'cannot_tell', 'same']), models.Q(('reason', ''), _negated=True)), name='a_decision_on_a_match_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('confirmed', None), ('second_at', None), ('second_by', None), ('second_reason', '')), models.Q(('confirmed__isnull', False), ('second_at__isnull', False), ('second_by__isnull', False), ('outcome', 'same'), models.Q(('second_reason', ''), _negated=True)), _connector='OR'), name='a_second_decision_on_a_match_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=models.CheckConstraint(condition=models.Q(('second_by', None), models.Q(('second_by', models.F('decided_by')), _negated=True), _connector='OR'), name='two_people_confirm_a_match'),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'match', 'decided_check', 'outcome', 'reason', 'decided_by', 'decided_at', 'second_by', 'second_at', 'second_reason'], name='a_decision_on_a_match_stays', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=console.core.database_rule.DatabaseRule(name='matches_require_reviewers', sql="-- Both reviewers of a decision review the case as compliance, and its check found the match. What\n-- the second one decided stays.\nCREATE FUNCTION public.matches_require_reviewers() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who bigint;\nBEGIN\n  IF TG_OP = 'UPDATE' AND OLD.confirmed IS NOT NULL\n    AND NEW.confirmed IS DISTINCT FROM OLD.confirmed THEN\n    RAISE EXCEPTION 'confirmed of matches_matchdecision never changes'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  FOREACH who IN ARRAY array_remove(ARRAY[NEW.decided_by_id, NEW.second_by_id], NULL) LOOP\n    IF NOT EXISTS (\n      SELECT FROM public.onboarding_reviewer AS reviewer\n      JOIN public.onboarding_check AS decided ON decided.application_id = reviewer.application_id\n      JOIN public.matches_possiblematch AS found ON found.id = NEW.match_id\n      WHERE decided.id = NEW.decided_check_id AND reviewer.person_id = who\n        AND reviewer.capacity = 'compliance'\n        AND found.public_id = ANY (string_to_array(decided.evidence ->> 'matches', ' '))) THEN\n      RAISE EXCEPTION 'a possible match is judged by reviewers of its case, as compliance'\n        USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n    END IF;\n  END LOOP;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_match_is_judged_by_reviewers_of_its_case\nBEFORE INSERT OR UPDATE ON public.matches_matchdecision\nFOR EACH ROW EXECUTE FUNCTION public.matches_require_reviewers();\n"),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=console.core.database_rule.DatabaseRule(name='matches_require_decisions', sql="-- A check with possible matches passes when each of them was judged not to be the same, and fails\n-- when two reviewers confirmed one of them. The newest decision counts, unless it was refused.\nCREATE FUNCTION public.matches_require_decisions() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  open integer;\n  same integer;\nBEGIN\n  SELECT count(*) FILTER (WHERE last.outcome IS DISTINCT FROM 'not_same'),\n    count(*) FILTER (WHERE last.outcome = 'same' AND last.confirmed)\n  INTO open, same\n  FROM unnest(string_to_array(NEW.evidence ->> 'matches', ' ')) AS found(public_id)\n  LEFT JOIN public.matches_possiblematch AS match ON match.public_id = found.public_id\n  LEFT JOIN LATERAL (\n    SELECT outcome, confirmed FROM public.matches_matchdecision\n    WHERE match_id = match.id AND confirmed IS NOT FALSE ORDER BY (confirmed IS TRUE) DESC, id DESC LIMIT 1) AS last ON true;\n  IF NEW.status = 'passed' AND open > 0 OR NEW.status = 'failed' AND same = 0 THEN\n    RAISE EXCEPTION 'a check with possible matches becomes % by decisions about them', NEW.status\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_check_with_matches_needs_decisions\nBEFORE UPDATE OF status ON public.onboarding_check\nFOR EACH ROW WHEN (OLD.status = 'needs_review' AND NEW.status <> OLD.status\n  AND NEW.evidence ->> 'matches' <> '')\nEXECUTE FUNCTION public.matches_require_decisions();\n"),
        ),
        migrations.AddConstraint(
            model_name='matchdecision',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['confirmed'], name='decisions_on_matches_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]

"""The audit log, its chain and its published heads."""

import django.db.models.functions.text
import django.contrib.postgres.search
import django.contrib.postgres.indexes
import console.core.database_rule
import console.core.frozen
import console.core.ids
import django.db.models.deletion
import functools
from django.db import migrations, models

BEGINNING = """
INSERT INTO public.audit_head (chain, count, hash) VALUES ('main', 0, repeat('0', 64));

DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    REVOKE UPDATE, DELETE ON public.audit_entry FROM site;
    REVOKE INSERT, UPDATE, DELETE ON public.audit_link, public.audit_head FROM site;
    REVOKE UPDATE, DELETE ON public.audit_published_head, public.audit_chain_check FROM site;
  END IF;
END $$;
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='ChainHead',
            fields=[
                ('chain', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('count', models.BigIntegerField()),
                ('hash', models.CharField(max_length=64)),
            ],
            options={
                'db_table': 'audit_head',
            },
        ),
        migrations.CreateModel(
            name='ChainCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('chc',), **{}), max_length=40, unique=True)),
                ('at', models.DateTimeField()),
                ('entries', models.BigIntegerField()),
                ('heads', models.PositiveIntegerField()),
                ('found', models.PositiveIntegerField()),
                ('findings', models.JSONField(default=list)),
            ],
            options={
                'db_table': 'audit_chain_check',
                'indexes': [models.Index(fields=['-at', '-id'], name='chain_checks_newest')],
                'constraints': [console.core.frozen.NeverChanges(name='chain_checks_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='CountedAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minute', models.DateTimeField()),
                ('network', models.GenericIPAddressField(null=True)),
                ('page', models.CharField(max_length=80)),
                ('status', models.PositiveSmallIntegerField()),
                ('refusal', models.CharField(blank=True, max_length=40)),
                ('request_id', models.CharField(max_length=40)),
                ('count', models.PositiveIntegerField(default=1)),
            ],
            options={
                'db_table': 'audit_counted_attempt',
                'constraints': [models.UniqueConstraint(fields=('minute', 'network', 'page', 'status', 'refusal'), name='attempts_of_a_minute_are_counted_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('aud',), **{}), max_length=40, unique=True)),
                ('at', models.DateTimeField()),
                ('code', models.CharField(max_length=80)),
                ('actor_id', models.CharField(blank=True, max_length=40)),
                ('actor_name', models.CharField(max_length=200)),
                ('business_id', models.CharField(blank=True, max_length=40)),
                ('subject_type', models.CharField(max_length=40)),
                ('subject_id', models.CharField(max_length=80)),
                ('request_id', models.CharField(blank=True, max_length=40)),
                ('body', models.TextField()),
            ],
            options={
                'db_table': 'audit_entry',
                'indexes': [models.Index(fields=['subject_id', '-at'], name='audit_by_subject'), models.Index(fields=['business_id', '-at'], name='audit_by_business'), models.Index(fields=['actor_id', '-at'], name='audit_by_actor'), models.Index(fields=['-at', '-id'], name='audit_newest'), models.Index(fields=['code', '-at'], name='audit_by_code')],
            },
        ),
        migrations.CreateModel(
            name='PublishedHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('hed',), **{}), max_length=40, unique=True)),
                ('chain', models.CharField(max_length=20)),
                ('count', models.BigIntegerField()),
                ('hash', models.CharField(max_length=64)),
                ('at', models.DateTimeField()),
                ('channel', models.CharField(choices=[('nightly', 'E-mail to the auditors'), ('bundle', 'Bundle of an executed pack')], max_length=20)),
                ('about', models.CharField(max_length=40)),
            ],
            options={
                'db_table': 'audit_published_head',
                'indexes': [models.Index(fields=['-at', '-id'], name='published_heads_newest'), models.Index(fields=['channel', 'about'], name='published_heads_by_what')],
                'constraints': [models.CheckConstraint(condition=models.Q(('chain', 'main')), name='heads_are_of_one_chain'), models.CheckConstraint(condition=models.Q(('channel__in', ['nightly', 'bundle'])), name='a_heads_channel_is_known'), console.core.frozen.NeverChanges(name='published_heads_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')")],
            },
        ),
        migrations.CreateModel(
            name='ChainLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('chain', models.CharField(max_length=20)),
                ('seq', models.BigIntegerField()),
                ('prev', models.CharField(max_length=64)),
                ('hash', models.CharField(max_length=64)),
                ('entry', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='link', to='audit.entry')),
            ],
            options={
                'db_table': 'audit_link',
                'constraints': [models.UniqueConstraint(fields=('chain', 'seq'), name='audit_chain_has_no_fork')],
            },
        ),
        migrations.RunSQL(BEGINNING, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_refuse', sql="CREATE FUNCTION public.audit_refuse() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  RAISE EXCEPTION 'audit entries never change' USING ERRCODE = 'insufficient_privilege';\nEND $$;\n\nCREATE TRIGGER audit_entry_never_changes BEFORE UPDATE OR DELETE ON public.audit_entry\nFOR EACH ROW EXECUTE FUNCTION public.audit_refuse();\nCREATE TRIGGER audit_entry_is_never_emptied BEFORE TRUNCATE ON public.audit_entry\nFOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse();\nCREATE TRIGGER audit_link_never_changes BEFORE UPDATE OR DELETE ON public.audit_link\nFOR EACH ROW EXECUTE FUNCTION public.audit_refuse();\nCREATE TRIGGER audit_link_is_never_emptied BEFORE TRUNCATE ON public.audit_link\nFOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuse();\n"),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_link_entry', sql="-- Deferred to the commit: entries are linked in the order of commits, without gaps or forks,\n-- and the head is locked only briefly.\nCREATE FUNCTION public.audit_link_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  head public.audit_head%ROWTYPE;\n  linked text;\nBEGIN\n  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;\n  linked := encode(sha256(convert_to(head.hash || NEW.body, 'UTF8')), 'hex');\n  INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)\n  VALUES ('main', head.count + 1, NEW.id, head.hash, linked);\n  UPDATE public.audit_head SET count = head.count + 1, hash = linked WHERE chain = 'main';\n  RETURN NULL;\nEND $$;\n\nCREATE CONSTRAINT TRIGGER audit_entry_is_linked AFTER INSERT ON public.audit_entry\nDEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.audit_link_entry();\n"),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_refuse_unreadable', sql='CREATE FUNCTION public.audit_refuse_unreadable() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := NEW.body::jsonb;\n  said jsonb := whole -> \'body\';\nBEGIN\n  -- Searched values must be text: the number 5 is not the text "5".\n  IF NEW.at >= \'2000-01-01\' AND NEW.at < \'10000-01-01\'\n    AND whole -> \'_type\' = \'"console.audit.entry.v1"\'\n    AND said -> \'id\' = to_jsonb(NEW.public_id)\n    AND said ->> \'at\' = to_char(NEW.at AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"\')\n    AND said -> \'code\' = to_jsonb(NEW.code)\n    AND said #> \'{actor,id}\' = to_jsonb(NEW.actor_id)\n    AND said #> \'{actor,name}\' = to_jsonb(NEW.actor_name)\n    AND said -> \'business\' = to_jsonb(NEW.business_id)\n    AND said #> \'{subject,type}\' = to_jsonb(NEW.subject_type)\n    AND said #> \'{subject,id}\' = to_jsonb(NEW.subject_id)\n    AND said #> \'{request,id}\' = to_jsonb(NEW.request_id)\n    -- Not every reader of JSON knows other numbers, or unlimited nesting.\n    AND NOT whole @? \'$.** ? (@.type() == "number" &&\n      (@ > 9007199254740991 || @ < -9007199254740991 || @.floor() != @))\'\n    AND NOT whole @? \'$.**{32}\'\n  THEN RETURN NEW; END IF;\n  RAISE EXCEPTION \'the body of an audit entry does not say what its columns say\'\n    USING ERRCODE = \'check_violation\', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\n\nCREATE TRIGGER audit_entry_is_readable BEFORE INSERT ON public.audit_entry\nFOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unreadable();\n'),
        ),
        migrations.AddConstraint(
            model_name='publishedhead',
            constraint=console.core.database_rule.DatabaseRule(name='audit_refuse_unknown_head', sql="CREATE FUNCTION public.audit_refuse_unknown_head() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NEW.count = 0 AND NEW.hash = repeat('0', 64) OR EXISTS (\n    SELECT FROM public.audit_link AS link\n    WHERE link.chain = NEW.chain AND link.seq = NEW.count AND link.hash = NEW.hash\n  ) THEN RETURN NEW; END IF;\n  RAISE EXCEPTION 'the chain never ended there'\n    USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\nEND $$;\n\nCREATE TRIGGER audit_published_head_was_one BEFORE INSERT ON public.audit_published_head\nFOR EACH ROW EXECUTE FUNCTION public.audit_refuse_unknown_head();\n"),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=console.core.database_rule.DatabaseRule(name='audit_require_entry', sql="-- Deferred to the commit, where links are written: an entry of this transaction has a link of this\n-- transaction, or none yet.\nCREATE FUNCTION public.audit_require_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(NEW);\n  subject text := whole ->> 'public_id';\nBEGIN\n  IF TG_ARGV[1] <> '' THEN  -- the entry of a role is about its person\n    SELECT public_id INTO subject FROM public.accounts_user\n    WHERE id = (whole ->> TG_ARGV[1])::bigint;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entry AS entry\n    LEFT JOIN public.audit_link AS link ON link.entry_id = entry.id\n    WHERE entry.subject_id = subject\n      AND (link.id IS NULL OR link.xmin = pg_current_xact_id()::xid)) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\n"),
        ),
        migrations.AddIndex(
            model_name='entry',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.search.SearchVector(django.db.models.functions.text.Replace(django.db.models.functions.text.Left(models.F('body'), 100000), models.Value('\\n'), models.Value(' ')), config='simple'), name='audit_by_words'),
        ),
    ]

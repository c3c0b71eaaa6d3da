"""Entries are linked in batches after their commit, by whoever holds the lock on the head."""

import console.core.database_rule
import django.db.models.deletion
from django.db import migrations, models

RIGHTS = """
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    REVOKE INSERT, UPDATE, DELETE ON public.audit_unlinked FROM site;
  END IF;
END $$;
"""
QUEUE = "-- The row is visible once the entry's transaction commits, so entries that commit late are linked\n-- late, and none is skipped.\nCREATE FUNCTION public.audit_queue_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  INSERT INTO public.audit_unlinked (entry_id, transaction)\n  VALUES (NEW.id, pg_current_xact_id()::text::bigint);\n  RETURN NULL;\nEND $$;\n\nCREATE TRIGGER audit_entry_is_queued AFTER INSERT ON public.audit_entry\nFOR EACH ROW EXECUTE FUNCTION public.audit_queue_entry();\n"
LINK = "-- Link at most that many committed entries, and return how many. The lock on the head lets one\n-- session at a time do it; the next statement sees what the one before it linked.\nCREATE FUNCTION public.audit_link_entries(most integer) RETURNS integer\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  head public.audit_head%ROWTYPE;\n  unlinked record;\n  linked text;\n  first bigint;\nBEGIN\n  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;\n  first := head.count;\n  FOR unlinked IN\n    WITH waiting AS (\n      SELECT queued.entry_id FROM public.audit_unlinked AS queued\n      JOIN public.audit_entry AS entry ON entry.id = queued.entry_id\n      -- The transaction that calls this may still be rolled back.\n      WHERE queued.transaction <> pg_current_xact_id()::text::bigint\n      ORDER BY queued.entry_id LIMIT most\n    ), taken AS (\n      DELETE FROM public.audit_unlinked USING waiting\n      WHERE audit_unlinked.entry_id = waiting.entry_id RETURNING audit_unlinked.entry_id\n    )\n    SELECT entry.id, entry.body FROM taken\n    JOIN public.audit_entry AS entry ON entry.id = taken.entry_id ORDER BY entry.id\n  LOOP\n    linked := encode(sha256(convert_to(head.hash || unlinked.body, 'UTF8')), 'hex');\n    INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)\n    VALUES ('main', head.count + 1, unlinked.id, head.hash, linked);\n    head.count := head.count + 1;\n    head.hash := linked;\n  END LOOP;\n  IF head.count > first THEN\n    UPDATE public.audit_head SET count = head.count, hash = head.hash WHERE chain = 'main';\n  END IF;\n  RETURN head.count - first;\nEND $$;\n"
REQUIRE = "-- Deferred to the commit: an entry of this transaction waits to be linked, and nobody else sees it.\nCREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(NEW);\n  subject text := whole ->> 'public_id';\nBEGIN\n  IF TG_ARGV[1] <> '' THEN  -- the entry of a role is about its person\n    SELECT public_id INTO subject FROM public.accounts_user\n    WHERE id = (whole ->> TG_ARGV[1])::bigint;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entry AS entry\n    JOIN public.audit_unlinked AS unlinked ON unlinked.entry_id = entry.id\n    WHERE entry.subject_id = subject\n      AND unlinked.transaction = pg_current_xact_id()::text::bigint) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\n"
REQUIRE_BEFORE = "-- Deferred to the commit, where links are written: an entry of this transaction has a link of this\n-- transaction, or none yet.\nCREATE OR REPLACE FUNCTION public.audit_require_entry() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  whole jsonb := to_jsonb(NEW);\n  subject text := whole ->> 'public_id';\nBEGIN\n  IF TG_ARGV[1] <> '' THEN  -- the entry of a role is about its person\n    SELECT public_id INTO subject FROM public.accounts_user\n    WHERE id = (whole ->> TG_ARGV[1])::bigint;\n  END IF;\n  IF NOT EXISTS (\n    SELECT FROM public.audit_entry AS entry\n    LEFT JOIN public.audit_link AS link ON link.entry_id = entry.id\n    WHERE entry.subject_id = subject\n      AND (link.id IS NULL OR link.xmin = pg_current_xact_id()::xid)) THEN\n    RAISE EXCEPTION '% changes together with an audit entry about it', TG_TABLE_NAME\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_ARGV[0], TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NULL;\nEND $$;\n"


def rule(name, sql):
    return console.core.database_rule.DatabaseRule(name=name, sql=sql)


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='UnlinkedEntry',
            fields=[
                ('entry', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='unlinked', serialize=False, to='audit.entry')),
                ('transaction', models.BigIntegerField()),
            ],
            options={
                'db_table': 'audit_unlinked',
            },
        ),
        migrations.RunSQL(RIGHTS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='entry',
            constraint=rule('audit_link_entries', LINK),
        ),
        migrations.RemoveConstraint(
            model_name='entry',
            name='audit_link_entry',
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=rule('audit_queue_entry', QUEUE),
        ),
        # Replaced in place, because triggers of many tables use it.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(REQUIRE, REQUIRE_BEFORE)],
            state_operations=[
                migrations.RemoveConstraint(model_name='entry', name='audit_require_entry'),
                migrations.AddConstraint(
                    model_name='entry', constraint=rule('audit_require_entry', REQUIRE)
                ),
            ],
        ),
    ]

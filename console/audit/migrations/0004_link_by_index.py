import console.core.database_rule
from django.db import migrations

LINK = "-- Link at most that many committed entries, and return how many. The lock on the head lets one\n-- session at a time do it; the next statement sees what the one before it linked.\nCREATE OR REPLACE FUNCTION public.audit_link_entries(most integer) RETURNS integer\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp\n-- A plan that was made while the queue was empty must also be good for a long one.\nSET enable_seqscan = off SET enable_mergejoin = off AS $$\nDECLARE\n  head public.audit_head%ROWTYPE;\n  unlinked record;\n  linked text;\n  first bigint;\nBEGIN\n  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;\n  first := head.count;\n  FOR unlinked IN\n    WITH waiting AS MATERIALIZED (\n      SELECT entry.id, entry.body FROM public.audit_unlinked AS queued\n      JOIN public.audit_entry AS entry ON entry.id = queued.entry_id\n      -- The transaction that calls this may still be rolled back.\n      WHERE queued.transaction <> pg_current_xact_id()::text::bigint\n      ORDER BY queued.entry_id LIMIT most\n    ), taken AS (\n      DELETE FROM public.audit_unlinked USING waiting WHERE audit_unlinked.entry_id = waiting.id\n    )\n    SELECT id, body FROM waiting ORDER BY id\n  LOOP\n    linked := encode(sha256(convert_to(head.hash || unlinked.body, 'UTF8')), 'hex');\n    INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)\n    VALUES ('main', head.count + 1, unlinked.id, head.hash, linked);\n    head.count := head.count + 1;\n    head.hash := linked;\n  END LOOP;\n  IF head.count > first THEN\n    UPDATE public.audit_head SET count = head.count, hash = head.hash WHERE chain = 'main';\n  END IF;\n  RETURN head.count - first;\nEND $$;\n"
LINK_BEFORE = "-- Link at most that many committed entries, and return how many. The lock on the head lets one\n-- session at a time do it; the next statement sees what the one before it linked.\nCREATE OR REPLACE FUNCTION public.audit_link_entries(most integer) RETURNS integer\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  head public.audit_head%ROWTYPE;\n  unlinked record;\n  linked text;\n  first bigint;\nBEGIN\n  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;\n  first := head.count;\n  FOR unlinked IN\n    WITH waiting AS (\n      SELECT queued.entry_id FROM public.audit_unlinked AS queued\n      JOIN public.audit_entry AS entry ON entry.id = queued.entry_id\n      -- The transaction that calls this may still be rolled back.\n      WHERE queued.transaction <> pg_current_xact_id()::text::bigint\n      ORDER BY queued.entry_id LIMIT most\n    ), taken AS (\n      DELETE FROM public.audit_unlinked USING waiting\n      WHERE audit_unlinked.entry_id = waiting.entry_id RETURNING audit_unlinked.entry_id\n    )\n    SELECT entry.id, entry.body FROM taken\n    JOIN public.audit_entry AS entry ON entry.id = taken.entry_id ORDER BY entry.id\n  LOOP\n    linked := encode(sha256(convert_to(head.hash || unlinked.body, 'UTF8')), 'hex');\n    INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)\n    VALUES ('main', head.count + 1, unlinked.id, head.hash, linked);\n    head.count := head.count + 1;\n    head.hash := linked;\n  END LOOP;\n  IF head.count > first THEN\n    UPDATE public.audit_head SET count = head.count, hash = head.hash WHERE chain = 'main';\n  END IF;\n  RETURN head.count - first;\nEND $$;\n"


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0003_list_pages'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        # Replaced in place, because the previous release calls it during an update.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(LINK, LINK_BEFORE)],
            state_operations=[
                migrations.RemoveConstraint(model_name='entry', name='audit_link_entries'),
                migrations.AddConstraint(
                    model_name='entry',
                    constraint=console.core.database_rule.DatabaseRule(
                        name='audit_link_entries', sql=LINK
                    ),
                ),
            ],
        ),
    ]

-- Link at most that many committed entries, and return how many. The lock on the head lets one
-- session at a time do it; the next statement sees what the one before it linked.
CREATE OR REPLACE FUNCTION public.audit_link_entries(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
-- A plan that was made while the queue was empty must also be good for a long one.
SET enable_seqscan = off SET enable_mergejoin = off AS $$
DECLARE
  head public.audit_head%ROWTYPE;
  unlinked record;
  linked text;
  first bigint;
BEGIN
  SELECT * INTO STRICT head FROM public.audit_head WHERE chain = 'main' FOR NO KEY UPDATE;
  first := head.count;
  FOR unlinked IN
    WITH waiting AS MATERIALIZED (
      SELECT entry.id, entry.body FROM public.audit_unlinked AS queued
      JOIN public.audit_entry AS entry ON entry.id = queued.entry_id
      -- The transaction that calls this may still be rolled back.
      WHERE queued.transaction <> pg_current_xact_id()::text::bigint
      ORDER BY queued.entry_id LIMIT most
    ), taken AS (
      DELETE FROM public.audit_unlinked USING waiting WHERE audit_unlinked.entry_id = waiting.id
    )
    SELECT id, body FROM waiting ORDER BY id
  LOOP
    linked := encode(sha256(convert_to(head.hash || unlinked.body, 'UTF8')), 'hex');
    INSERT INTO public.audit_link (chain, seq, entry_id, prev, hash)
    VALUES ('main', head.count + 1, unlinked.id, head.hash, linked);
    head.count := head.count + 1;
    head.hash := linked;
  END LOOP;
  IF head.count > first THEN
    UPDATE public.audit_head SET count = head.count, hash = head.hash WHERE chain = 'main';
  END IF;
  RETURN head.count - first;
END $$;

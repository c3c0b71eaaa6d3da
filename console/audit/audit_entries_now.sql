-- The entries of this transaction about a subject and by an actor; null stands for any. They wait to
-- be linked, and nobody else sees them.
CREATE FUNCTION public.audit_entries_now(about text, actor text) RETURNS SETOF public.audit_entry
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
-- A plan that was made while the queue was empty must also be good for a long one.
SET enable_seqscan = off AS $$
  SELECT entry.* FROM public.audit_unlinked AS unlinked
  JOIN public.audit_entry AS entry ON entry.id = unlinked.entry_id
  WHERE unlinked.transaction = pg_current_xact_id()::text::bigint
    AND (about IS NULL OR entry.subject_id = about) AND (actor IS NULL OR entry.actor_id = actor)
$$;

-- The mailboxes of every confirmed address that a user has or had.
CREATE FUNCTION public.accounts_mailboxes_of(who bigint) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT array_agg(public.accounts_mailbox(email)) FROM (
    SELECT email FROM public.accounts_user WHERE id = who
    UNION SELECT unnest(ARRAY[old_email, new_email]) FROM public.accounts_emailchange
    WHERE person_id = who AND confirmed_at IS NOT NULL) AS known (email)
$$;

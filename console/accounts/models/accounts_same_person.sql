-- Accounts that ever shared a mailbox are one person's.
CREATE FUNCTION public.accounts_same_person(one bigint, other bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT one = other
    OR public.accounts_mailboxes_of(one) && public.accounts_mailboxes_of(other)
$$;

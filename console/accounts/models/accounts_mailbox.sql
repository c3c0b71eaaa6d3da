-- The mailbox of an address as we store it, as `mailboxes.mailbox` returns it for any address.
CREATE FUNCTION public.accounts_mailbox(email text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com')
    THEN replace(plain, '.', '') || '@gmail.com' ELSE plain || '@' || domain END
  FROM (SELECT regexp_replace(lower(btrim(email)), '@[^@]*$', ''),
    -- Domain names know neither of the two letters.
    replace(replace(replace(lower(normalize(substring(btrim(email) FROM '[^@]*$'), NFKC)),
      '。', '.'), 'ß', 'ss'), 'ς', 'σ')) AS parts (local, domain),
  LATERAL coalesce(nullif(split_part(local, '+', 1), ''), local) AS plain
$$;

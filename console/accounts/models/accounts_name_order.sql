-- A name as lists are ordered by it: as searches compare it, and Thai and Lao vowels that are written
-- before their consonant follow it, as in dictionaries. Chinese characters are ordered by radical.
CREATE FUNCTION public.accounts_name_order(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT regexp_replace(
    public.accounts_folded(name), '([\u0e40-\u0e44\u0ec0-\u0ec4])(.)', '\2\1', 'g')
$$;

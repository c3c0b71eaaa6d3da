-- A name as searches compare it: without case, accents, ligatures, apostrophes, hyphens and dots.
-- ae, oe and ue are read as the letters that German also writes with two dots.
CREATE FUNCTION public.accounts_folded(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT btrim(regexp_replace(regexp_replace(
    replace(replace(replace(replace(translate(
      regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f]', '', 'g'),
      'øłđðıħŧ-‐‑–—’‘ʼʻ`´''.,', 'olddiht     '),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '([aou])e', '\1', 'g'), '\s+', ' ', 'g'))
$$;

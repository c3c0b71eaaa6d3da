-- A name as searches compare it, as `console.core.folding.fold` does, which has the reasons: without
-- case, accents, ligatures, apostrophes, hyphens and dots.
CREATE OR REPLACE FUNCTION public.accounts_folded(name text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT btrim(regexp_replace(regexp_replace(replace(regexp_replace(regexp_replace(
    replace(replace(replace(replace(translate(
      regexp_replace(lower(normalize(regexp_replace(name,
        '[''`.,`\u00b4\u00b7\u02b9-\u02bd\u02c8\u05f3\u05f4\u0640\u200c\u200d\u2018-\u201f\u2027\u2032\u2035\ua78b\ua78c\uff07\u300c\u300d"]',
        '', 'g'), NFKD)),
        '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u093c\u09bc\u0a3c\u0abc\u0b3c\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]',
        '', 'g'),
      U&'\00F8\0142\0111\00F0\0131\0127\0167\014B\0259\0253\0257\0256\0199\01B4\0254\025B\0272\028B\0263\03C2\05DA\05DD\05DF\05E3\05E5\0671\0649\06CC\06D2\06A9\0629\06C1\06BE\06C3\06D5\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9',
      U&'olddihtnebddkyoenvg\03C3\05DB\05DE\05E0\05E4\05E6\0627\064A\064A\064A\0643\0647\0647\0647\0647\064701234567890123456789'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[-\u00ad\u058a\u05be\u2010-\u2015\u2212\u30fb\ufe58\ufe63\uff0d]', ' ', 'g'),
    '[''`.,`\u00b4\u00b7\u02b9-\u02bd\u02c8\u05f3\u05f4\u0640\u200c\u200d\u2018-\u201f\u2027\u2032\u2035\ua78b\ua78c\uff07\u300c\u300d"]',
    '', 'g'), 'aa', 'a'), '([aou])e', '\1', 'g'), '\s+', ' ', 'g'))
$$;

"""Compare names without case, accents, apostrophes and hyphens."""

import console.core.database_rule
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0011_work_mail'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='business',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_folded', sql="-- A name as searches compare it: without case, accents, ligatures, apostrophes, hyphens and dots.\n-- ae, oe and ue are read as the letters that German also writes with two dots.\nCREATE FUNCTION public.accounts_folded(name text) RETURNS text\nLANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT btrim(regexp_replace(regexp_replace(\n    replace(replace(replace(replace(translate(\n      regexp_replace(lower(normalize(name, NFKD)), '[\\u0300-\\u036f]', '', 'g'),\n      'øłđðıħŧ-‐‑–—’‘ʼʻ`´''.,', 'olddiht     '),\n      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),\n    '([aou])e', '\\1', 'g'), '\\s+', ' ', 'g'))\n$$;\n"),
        ),
    ]

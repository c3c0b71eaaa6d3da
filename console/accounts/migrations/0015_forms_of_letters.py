"""Compare names in the forms of more scripts, and order lists by names so compared."""

from importlib import import_module

import console.core.database_rule
from django.db import migrations

FOLDED = '-- A name as searches compare it, as `console.core.folding.fold` does, which has the reasons: without\n-- case, accents, ligatures, apostrophes, hyphens and dots.\nCREATE OR REPLACE FUNCTION public.accounts_folded(name text) RETURNS text\nLANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT btrim(regexp_replace(regexp_replace(replace(regexp_replace(regexp_replace(\n    replace(replace(replace(replace(translate(\n      regexp_replace(lower(normalize(regexp_replace(name,\n        \'[\'\'`.,`\\u00b4\\u00b7\\u02b9-\\u02bd\\u02c8\\u05f3\\u05f4\\u0640\\u200c\\u200d\\u2018-\\u201f\\u2027\\u2032\\u2035\\ua78b\\ua78c\\uff07\\u300c\\u300d"]\',\n        \'\', \'g\'), NFKD)),\n        \'[\\u0300-\\u036f\\u0483-\\u0487\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0711\\u0730-\\u074a\\u093c\\u09bc\\u0a3c\\u0abc\\u0b3c\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]\',\n        \'\', \'g\'),\n      U&\'\\00F8\\0142\\0111\\00F0\\0131\\0127\\0167\\014B\\0259\\0253\\0257\\0256\\0199\\01B4\\0254\\025B\\0272\\028B\\0263\\03C2\\05DA\\05DD\\05DF\\05E3\\05E5\\0671\\0649\\06CC\\06D2\\06A9\\0629\\06C1\\06BE\\06C3\\06D5\\0660\\0661\\0662\\0663\\0664\\0665\\0666\\0667\\0668\\0669\\06F0\\06F1\\06F2\\06F3\\06F4\\06F5\\06F6\\06F7\\06F8\\06F9\',\n      U&\'olddihtnebddkyoenvg\\03C3\\05DB\\05DE\\05E0\\05E4\\05E6\\0627\\064A\\064A\\064A\\0643\\0647\\0647\\0647\\0647\\064701234567890123456789\'),\n      \'ß\', \'ss\'), \'æ\', \'ae\'), \'œ\', \'oe\'), \'þ\', \'th\'),\n    \'[-\\u00ad\\u058a\\u05be\\u2010-\\u2015\\u2212\\u30fb\\ufe58\\ufe63\\uff0d]\', \' \', \'g\'),\n    \'[\'\'`.,`\\u00b4\\u00b7\\u02b9-\\u02bd\\u02c8\\u05f3\\u05f4\\u0640\\u200c\\u200d\\u2018-\\u201f\\u2027\\u2032\\u2035\\ua78b\\ua78c\\uff07\\u300c\\u300d"]\',\n    \'\', \'g\'), \'aa\', \'a\'), \'([aou])e\', \'\\1\', \'g\'), \'\\s+\', \' \', \'g\'))\n$$;\n'
_ADDED = import_module('console.accounts.migrations.0012_folded_names').Migration.operations[1]
FOLDED_BEFORE = _ADDED.constraint.sql.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0014_saved_views'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        # Replaced in place, because an index uses it. The next migration makes another index.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(FOLDED, FOLDED_BEFORE)],
            state_operations=[
                migrations.RemoveConstraint(model_name='business', name='accounts_folded'),
                migrations.AddConstraint(
                    model_name='business',
                    constraint=console.core.database_rule.DatabaseRule(name='accounts_folded', sql=FOLDED),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name='business',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_name_order', sql="-- A name as lists are ordered by it: as searches compare it, and Thai and Lao vowels that are written\n-- before their consonant follow it, as in dictionaries. Chinese characters are ordered by radical.\nCREATE FUNCTION public.accounts_name_order(name text) RETURNS text\nLANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT regexp_replace(\n    public.accounts_folded(name), '([\\u0e40-\\u0e44\\u0ec0-\\u0ec4])(.)', '\\2\\1', 'g')\n$$;\n"),
        ),
    ]

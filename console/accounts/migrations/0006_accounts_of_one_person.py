"""Recognise the accounts of one person by their mailboxes."""

import console.core.database_rule
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0005_reserved_addresses'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='emailchange',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_mailbox', sql="-- The mailbox of an address as we store it, as `mailboxes.mailbox` returns it for any address.\nCREATE FUNCTION public.accounts_mailbox(email text) RETURNS text\nLANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT CASE WHEN domain IN ('gmail.com', 'googlemail.com')\n    THEN replace(plain, '.', '') || '@gmail.com' ELSE plain || '@' || domain END\n  FROM (SELECT regexp_replace(lower(btrim(email)), '@[^@]*$', ''),\n    -- Domain names know neither of the two letters.\n    replace(replace(replace(lower(normalize(substring(btrim(email) FROM '[^@]*$'), NFKC)),\n      '。', '.'), 'ß', 'ss'), 'ς', 'σ')) AS parts (local, domain),\n  LATERAL coalesce(nullif(split_part(local, '+', 1), ''), local) AS plain\n$$;\n"),
        ),
        migrations.AddConstraint(
            model_name='emailchange',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_mailboxes_of', sql='-- The mailboxes of every confirmed address that a user has or had.\nCREATE FUNCTION public.accounts_mailboxes_of(who bigint) RETURNS text[]\nLANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT array_agg(public.accounts_mailbox(email)) FROM (\n    SELECT email FROM public.accounts_user WHERE id = who\n    UNION SELECT unnest(ARRAY[old_email, new_email]) FROM public.accounts_emailchange\n    WHERE person_id = who AND confirmed_at IS NOT NULL) AS known (email)\n$$;\n'),
        ),
        migrations.AddConstraint(
            model_name='emailchange',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_same_person', sql="-- Accounts that ever shared a mailbox are one person's.\nCREATE FUNCTION public.accounts_same_person(one bigint, other bigint) RETURNS boolean\nLANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT one = other\n    OR public.accounts_mailboxes_of(one) && public.accounts_mailboxes_of(other)\n$$;\n"),
        ),
    ]

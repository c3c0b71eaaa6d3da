"""Let two people put a version in use, and not one with two accounts."""

import console.core.database_rule
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_accounts_of_one_person'),
        ('publishing', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='publication',
            constraint=console.core.database_rule.DatabaseRule(name='publishing_require_two_people', sql="CREATE FUNCTION public.publishing_require_two_people() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF public.accounts_same_person(NEW.proposed_by_id, NEW.put_in_use_by_id) THEN\n    RAISE EXCEPTION 'two people put a version in use, and not one with two accounts'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER two_mailboxes_put_a_version_in_use\nBEFORE UPDATE OF put_in_use_by_id ON public.publishing_publication\nFOR EACH ROW WHEN (NEW.put_in_use_by_id <> NEW.proposed_by_id)\nEXECUTE FUNCTION public.publishing_require_two_people();\n"),
        ),
    ]

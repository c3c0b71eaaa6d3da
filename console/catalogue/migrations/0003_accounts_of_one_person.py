"""Let no other account of a participant decide about the products of a business."""

import console.core.database_rule
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_accounts_of_one_person'),
        ('catalogue', '0002_list_pages'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='businessproduct',
            name='catalogue_refuse_participant',
        ),
        migrations.AddConstraint(
            model_name='businessproduct',
            constraint=console.core.database_rule.DatabaseRule(name='catalogue_refuse_participant', sql="CREATE FUNCTION public.catalogue_refuse_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  who bigint;\nBEGIN\n  EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO who USING NEW;\n  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;\n  IF EXISTS (SELECT FROM public.accounts_participant\n             WHERE business_id = NEW.business_id\n               AND public.accounts_same_person(person_id, who)) THEN\n    RAISE EXCEPTION 'who took part for a business decides nothing about its products'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_product_is_decided_by_an_outsider\nBEFORE INSERT OR UPDATE OF status, by_id ON public.catalogue_businessproduct\nFOR EACH ROW WHEN (NEW.by_id IS NOT NULL AND NEW.status IN ('approved', 'withdrawn'))\nEXECUTE FUNCTION public.catalogue_refuse_participant('by_id');\nCREATE TRIGGER a_module_is_set_by_an_outsider\nBEFORE INSERT OR UPDATE OF hand, hand_by_id ON public.catalogue_modulesetting\nFOR EACH ROW WHEN (NEW.hand_by_id IS NOT NULL)\nEXECUTE FUNCTION public.catalogue_refuse_participant('hand_by_id');\n"),
        ),
    ]

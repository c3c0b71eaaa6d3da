"""Let one person review a case with one account, and none that it names."""

import console.core.database_rule
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_accounts_of_one_person'),
        ('onboarding', '0003_head_of_compliance_acts'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name='submission',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_names', sql='-- Whether answers that a business ever submitted contain an address of this user\'s mailboxes.\nCREATE FUNCTION public.onboarding_names(business bigint, who bigint) RETURNS boolean\nLANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$\n  SELECT EXISTS (\n    SELECT FROM public.onboarding_application AS application\n    JOIN public.onboarding_submission AS submission ON submission.application_id = application.id,\n    LATERAL jsonb_path_query(submission.body::jsonb #> \'{body,answers}\',\n      \'$.** ? (@.type() == "string" && @ like_regex "@")\') AS named\n    WHERE application.business_id = business\n      AND public.accounts_mailbox(named #>> \'{}\') = ANY (public.accounts_mailboxes_of(who)))\n$$;\n'),
        ),
        migrations.RemoveConstraint(
            model_name='reviewer',
            name='onboarding_refuse_reviewer',
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_refuse_reviewer', sql="-- This and onboarding_refuse_participant lock the business, so both cannot happen at once.\nCREATE FUNCTION public.onboarding_refuse_reviewer() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  PERFORM FROM public.accounts_business WHERE id = NEW.business_id FOR NO KEY UPDATE;\n  IF EXISTS (SELECT FROM public.onboarding_reviewer AS reviewer\n             JOIN public.onboarding_application AS application\n               ON application.id = reviewer.application_id\n             WHERE application.business_id = NEW.business_id\n               AND public.accounts_same_person(reviewer.person_id, NEW.person_id)) THEN\n    RAISE EXCEPTION 'who reviewed a case of a business does not take part for it'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_participant_never_reviewed BEFORE INSERT ON public.accounts_participant\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_reviewer();\n"),
        ),
        migrations.AddConstraint(
            model_name='reviewer',
            constraint=console.core.database_rule.DatabaseRule(name='onboarding_refuse_same_person', sql="-- Two accounts of one person do not decide on one case, nor one of them on a case that names the\n-- other or of the other's business.\nCREATE FUNCTION public.onboarding_refuse_same_person() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nDECLARE\n  reviewing record := NEW;\n  of_business bigint;\nBEGIN\n  IF TG_TABLE_NAME = 'onboarding_caseact' THEN\n    SELECT * INTO reviewing FROM public.onboarding_reviewer WHERE id = NEW.reviewer_id;\n  END IF;\n  SELECT business_id INTO of_business FROM public.onboarding_application\n  WHERE id = reviewing.application_id;\n  PERFORM FROM public.accounts_business WHERE id = of_business FOR NO KEY UPDATE;\n  IF EXISTS (\n      SELECT FROM public.onboarding_reviewer AS other\n      WHERE other.application_id = reviewing.application_id\n        AND other.person_id <> reviewing.person_id\n        AND public.accounts_same_person(other.person_id, reviewing.person_id))\n    OR EXISTS (\n      SELECT FROM public.accounts_participant\n      WHERE business_id = of_business AND person_id <> reviewing.person_id\n        AND public.accounts_same_person(person_id, reviewing.person_id))\n    OR public.onboarding_names(of_business, reviewing.person_id) THEN\n    RAISE EXCEPTION 'one person reviews a case with one account, and none that it names'\n      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_reviewer_reviews_with_one_account BEFORE INSERT ON public.onboarding_reviewer\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_same_person();\nCREATE TRIGGER an_act_is_by_one_account BEFORE INSERT ON public.onboarding_caseact\nFOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_same_person();\n"),
        ),
    ]

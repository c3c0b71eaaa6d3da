"""Answers, submissions and assessments are added and never changed, whoever asks."""

from django.db import migrations

TABLES = ("answer", "submission", "assessment")
FUNCTION = """
CREATE FUNCTION public.onboarding_refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION '% rows never change', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
"""
FREEZE = """
CREATE TRIGGER {0}_never_changes BEFORE UPDATE OR DELETE ON public.onboarding_{0}
FOR EACH ROW EXECUTE FUNCTION public.onboarding_refuse_change();
"""
THAW = "DROP TRIGGER {0}_never_changes ON public.onboarding_{0};"

FORWARD = FUNCTION + "".join(map(FREEZE.format, TABLES))
BACKWARD = "".join(map(THAW.format, TABLES)) + "DROP FUNCTION public.onboarding_refuse_change;"


class Migration(migrations.Migration):
    dependencies = [("onboarding", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]

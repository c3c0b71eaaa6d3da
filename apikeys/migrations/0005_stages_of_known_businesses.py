from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations

# A thousand at a time, so that changes of these businesses wait for milliseconds.
NOTE_STAGES = """
DO $$
DECLARE
  noted bigint := 0;
  last bigint := (SELECT max(id) FROM public.accounts_business);
BEGIN
  WHILE noted < last LOOP
    INSERT INTO public.apikeys_stagedbusiness (business_id, stage)
    SELECT id, public.apikeys_stage_of(id) FROM public.accounts_business
    WHERE id > noted AND id <= noted + 1000
    ON CONFLICT DO NOTHING;
    COMMIT;
    noted := noted + 1000;
  END LOOP;
END $$;
"""


class Migration(migrations.Migration):
    """Note the stages of the businesses that are older than the triggers."""

    atomic = False
    dependencies = [
        ('apikeys', '0004_business_stages'),
    ]

    operations = [
        migrations.RunSQL("SET lock_timeout = '5s'", "SET lock_timeout = '5s'"),
        migrations.RunSQL(NOTE_STAGES, migrations.RunSQL.noop),
        RemoveIndexConcurrently(
            model_name='grant',
            name='live_grants',
        ),
    ]

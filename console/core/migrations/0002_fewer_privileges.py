"""The site's role deletes only from tables whose rows go, and writes neither Django's own tables
nor what only triggers write.

New tables can be read, added to and changed. Where the site deletes rows, the migration of the table
says `GRANT DELETE` and depends on this one; `tests/guards/test_free_changes.py` wants a reason.
"""

from django.db import migrations

DELETES = """
accounts_authenticator accounts_emailchange accounts_membership accounts_passkey
accounts_provideraccount accounts_recoverycode accounts_session accounts_throttle accounts_user
agreements_receipt api_bucket api_nonce api_usagecount audit_counted_attempt
checkout_checkoutdomain events_event events_eventdelivery hosts_partreport
onboarding_provideroutage screening_waitingparty shell_demomail
webhooks_dispatcherheartbeat webhooks_queueddelivery
webhooks_publicevent_default webhooks_webhookdelivery_default
webhooks_deliveryattempt_live_default webhooks_deliveryattempt_sandbox_default
"""
# A partition has privileges of its own, so the site could write it past those of its table.
REVOKE = f"""
DO $$ DECLARE
  deletes text[] := regexp_split_to_array(btrim('{DELETES}', E' \\n'), '\\s+');
  one record;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN RETURN; END IF;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE DELETE ON TABLES FROM site;
  FOR one IN
    SELECT relname AS name, relispartition AS is_part FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  LOOP
    IF one.is_part THEN
      EXECUTE format('REVOKE INSERT, UPDATE ON public.%I FROM site', one.name);
    END IF;
    IF one.name LIKE 'django\\_%' OR one.name LIKE 'auth\\_%' THEN
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.%I FROM site', one.name);
    ELSIF one.name <> ALL (deletes) THEN
      EXECUTE format('REVOKE DELETE ON public.%I FROM site', one.name);
    END IF;
  END LOOP;
  REVOKE INSERT ON public.accounts_participant FROM site;
  REVOKE UPDATE ON public.webhooks_publicevent FROM site;
END $$
"""
DAY_PARTITION = """
CREATE OR REPLACE FUNCTION public.console_day_partition(what text, day date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  name text := what || to_char(day, '_YYYYMMDD');
  kept integer;
BEGIN
  SELECT substring(obj_description(oid, 'pg_class') FROM '^days kept: ([0-9]+)$')::integer
  INTO kept FROM pg_class
  WHERE relname = what AND relnamespace = 'public'::regnamespace AND relkind = 'p';
  IF kept IS NULL OR day > today + 14 THEN
    RAISE EXCEPTION '% is no table of days, or % is too far ahead', what, day
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF day < today - kept THEN
    EXECUTE format('DROP TABLE IF EXISTS public.%I', name);
    RETURN 'dropped';
  END IF;
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
    name, what, day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON public.%I FROM site', name);
  END IF;
  RETURN 'made';
END $$
"""

two_step = "No release deletes elsewhere, or writes to partitions or to Django's tables."


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0001_initial"),
        # The tables that keep a privilege, or lose one that new tables have.
        ("accounts", "0009_recorded_statuses"),
        ("agreements", "0006_kept_and_recorded"),
        ("api", "0001_initial"),
        ("audit", "0005_bound_entries"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("checkout", "0004_changed_statuses_of_domains"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("events", "0003_list_pages"),
        ("hosts", "0001_first_hosts"),
        ("onboarding", "0007_confidential_notes"),
        ("screening", "0002_kept_and_recorded"),
        ("sessions", "0001_initial"),
        ("shell", "0001_initial"),
        ("webhooks", "0003_kept_and_recorded"),
    ]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RunSQL(REVOKE, migrations.RunSQL.noop),
        migrations.RunSQL(DAY_PARTITION, migrations.RunSQL.noop),
    ]

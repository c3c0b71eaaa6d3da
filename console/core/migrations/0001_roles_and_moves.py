"""The site's role may use what the owner makes, and own nothing; moves are checked by one function."""

from django.db import migrations

from console.core import frozen, moves

# `site` is the role of DATABASE_URL. Where it does not exist (one role for everything), the
# deploy check says so; here there is nothing to grant.
GRANTS = """
DO $$ BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    GRANT USAGE ON SCHEMA public TO site;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO site;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO site;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO site;
    ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO site;
  END IF;
END $$
"""


class Migration(migrations.Migration):
    initial = True
    # Before every table of ours, so that the default privileges reach them all.
    dependencies: list[tuple[str, str]] = []
    operations = [
        migrations.RunSQL(GRANTS, migrations.RunSQL.noop),
        migrations.RunSQL(moves.CREATE_FUNCTION, moves.DROP_FUNCTION),
        migrations.RunSQL(frozen.CREATE_FUNCTION, frozen.DROP_FUNCTION),
    ]

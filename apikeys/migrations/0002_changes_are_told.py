"""Every change of a key, its grant or its business is announced when it commits."""

from django.db import migrations

from apikeys.change_notices import CREATE, DROP


class Migration(migrations.Migration):
    dependencies = [("apikeys", "0001_initial"), ("accounts", "0001_initial")]
    operations = [migrations.RunSQL(CREATE, DROP)]

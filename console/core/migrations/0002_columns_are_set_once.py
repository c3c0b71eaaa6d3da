"""The function that keeps a column as it was first set; see console.core.frozen.SetOnce."""

from django.db import migrations

from console.core import frozen


class Migration(migrations.Migration):
    dependencies = [("core", "0001_roles_and_moves")]
    operations = [
        migrations.RunSQL(frozen.CREATE_SET_ONCE_FUNCTION, frozen.DROP_SET_ONCE_FUNCTION),
    ]

"""Buckets are not worth a write-ahead log: losing them in a crash fills them, no more."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("gateway", "0001_initial")]
    operations = [
        migrations.RunSQL(
            "ALTER TABLE gateway_bucket SET UNLOGGED", "ALTER TABLE gateway_bucket SET LOGGED"
        )
    ]

"""The limit on calls in flight is gone: the specification has none."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [("gateway", "0001_initial")]

    operations = [
        migrations.DeleteModel(name="GatewayProcess"),
        migrations.DeleteModel(name="ConcurrencyBucket"),
    ]

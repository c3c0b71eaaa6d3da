"""An authenticator app that a recovery code led to countersigns nothing for a while."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="authenticator",
            name="held_until",
            field=models.DateTimeField(null=True),
        ),
    ]

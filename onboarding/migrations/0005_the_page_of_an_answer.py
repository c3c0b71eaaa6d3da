"""An answer knows the open page that it was sent from, and which of its savings it was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("onboarding", "0004_named_signatory")]
    operations = [
        migrations.AddField(
            "answer", "page", models.CharField(blank=True, default="", max_length=32), False
        ),
        migrations.AddField("answer", "sequence", models.PositiveIntegerField(default=0)),
    ]

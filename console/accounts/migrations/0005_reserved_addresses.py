"""Find the changes that reserve an e-mail address, and say when recovery codes were made."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_provider_accounts'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name='recoverycode',
            name='made_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='emailchange',
            index=models.Index(fields=['old_email'], name='email_changes_by_old_address'),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0002_list_pages'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='grant',
            index=models.Index(condition=models.Q(('environment', 'live'), models.Q(('status', 'closed'), _negated=True)), fields=['business'], name='live_grants'),
        ),
    ]

"""Indexes for the filters of events and deliveries."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_recorded_people'),
        ('webhooks', '0004_recorded_endpoints'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        # Not concurrently: PostgreSQL refuses that on a partitioned table.
        migrations.AddIndex(
            model_name='publicevent',
            index=models.Index(fields=['business', 'environment', 'kind', '-created_at', '-id'], name='events_by_kind'),
        ),
        migrations.AddIndex(
            model_name='publicevent',
            index=models.Index(fields=['business', 'environment', 'resource_id', '-created_at', '-id'], name='events_by_resource'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['endpoint', 'event_kind', '-created_at', '-id'], name='deliveries_by_kind'),
        ),
    ]

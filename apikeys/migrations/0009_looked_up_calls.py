"""Calls can be looked up by object, and keep the reason and the mistakes of a refusal."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('apikeys', '0008_kept_and_recorded'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name='requestlog',
            name='reason',
            field=models.CharField(blank=True, db_default='', max_length=40),
        ),
        migrations.AddField(
            model_name='requestlog',
            name='faults',
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='requestlog',
            name='object_id',
            field=models.CharField(blank=True, db_default='', max_length=40),
        ),
        # Not concurrently: PostgreSQL refuses that on a partitioned table.
        migrations.AddIndex(
            model_name='requestlog',
            index=models.Index(condition=models.Q(('object_id', ''), _negated=True), fields=['object_id'], name='request_log_by_object'),
        ),
    ]

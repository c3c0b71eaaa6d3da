"""Find registration numbers inside what was typed."""

import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

import onboarding.models.answer


class Migration(migrations.Migration):

    # Nobody waits for the index.
    atomic = False

    dependencies = [
        ('onboarding', '0008_newest_assessment'),
    ]

    operations = [
        # An interrupted migration leaves an index, so drop it before another attempt.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS plain_registration_numbers", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name='answer',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(onboarding.models.answer.PlainNumber('value'), 'gin_trgm_ops'), condition=models.Q(('question', 'li_registration_number')), fastupdate=False, name='plain_registration_numbers'),
        ),
    ]

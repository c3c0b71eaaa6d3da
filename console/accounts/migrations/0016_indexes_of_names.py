"""Find and order businesses by names as they are compared now."""

import console.accounts.models.folded
import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):

    # Nobody waits for the indexes.
    atomic = False

    dependencies = [
        ('accounts', '0015_forms_of_letters'),
    ]

    operations = [
        # An interrupted migration leaves an index, so drop it before another attempt.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS businesses_by_plain_name", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name='business',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(console.accounts.models.folded.Folded('name'), 'gin_trgm_ops'), fastupdate=False, name='businesses_by_plain_name'),
        ),
        RemoveIndexConcurrently(
            model_name='business',
            name='businesses_by_folded_name',
        ),
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS businesses_in_order_of_names", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name='business',
            index=models.Index(console.accounts.models.folded.NameOrder('name'), 'id', name='businesses_in_order_of_names'),
        ),
        RemoveIndexConcurrently(
            model_name='business',
            name='businesses_by_name',
        ),
    ]

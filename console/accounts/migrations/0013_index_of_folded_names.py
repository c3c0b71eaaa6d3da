"""Find businesses by folded names at once."""

import console.accounts.models.folded
import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations


class Migration(migrations.Migration):

    # Nobody waits for the index.
    atomic = False

    dependencies = [
        ('accounts', '0012_folded_names'),
    ]

    operations = [
        # An interrupted migration leaves an index, so drop it before another attempt.
        migrations.RunSQL(
            "DROP INDEX CONCURRENTLY IF EXISTS businesses_by_folded_name", migrations.RunSQL.noop
        ),
        AddIndexConcurrently(
            model_name='business',
            index=django.contrib.postgres.indexes.GinIndex(django.contrib.postgres.indexes.OpClass(console.accounts.models.folded.Folded('name'), 'gin_trgm_ops'), fastupdate=False, name='businesses_by_folded_name'),
        ),
        RemoveIndexConcurrently(
            model_name='business',
            name='businesses_by_part_of_name',
        ),
    ]

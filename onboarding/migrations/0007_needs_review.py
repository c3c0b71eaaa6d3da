"""A check that waits for a reviewer is called “Needs review”."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('onboarding', '0006_withdrawn_at'),
    ]

    operations = [
        migrations.AlterField(
            model_name='check',
            name='status',
            field=models.CharField(choices=[('pending', 'Not yet run'), ('running', 'Running'), ('passed', 'Passed'), ('failed', 'Failed'), ('needs_review', 'Needs review'), ('errored', 'Could not be run'), ('waived', 'Waived'), ('expired', 'Expired')], default='pending', max_length=20),
        ),
    ]

"""Who took part stays, at every statement; what points at an invitation can name its business."""

import console.core.immediate_key
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_one_person'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.UniqueConstraint(fields=('id', 'business'), name='an_invitation_and_its_business'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=console.core.immediate_key.ImmediateForeignKey(fields=['person'], name='who_took_part_stays', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.User', to_fields=['id']),
        ),
    ]

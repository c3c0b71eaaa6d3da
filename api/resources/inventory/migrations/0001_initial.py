"""Items in stock."""

import console.core.ids
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='InventoryItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('itm',), **{}), max_length=40, unique=True)),
                ('name', models.CharField(max_length=140)),
                ('sku', models.CharField(blank=True, max_length=140)),
                ('available', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', 'environment', '-created_at', '-id'], name='stock_in_reading_order')],
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='inventory_item_environment_is_known'), models.CheckConstraint(condition=models.Q(('available__gte', 0), ('reserved__gte', 0)), name='stock_is_never_negative')],
            },
        ),
    ]

"""Customers."""

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
            name='Customer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('cus',), **{}), max_length=40, unique=True)),
                ('external_customer_id', models.CharField(blank=True, max_length=140)),
                ('customer_type', models.CharField(choices=[('individual', 'Individual'), ('business', 'Business')], default='individual', max_length=10)),
                ('legal_name', models.CharField(max_length=140)),
                ('first_name', models.CharField(blank=True, max_length=70)),
                ('last_name', models.CharField(blank=True, max_length=70)),
                ('email', models.CharField(blank=True, max_length=254)),
                ('phone', models.CharField(blank=True, max_length=20)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('address', models.JSONField(default=dict)),
                ('date_of_birth', models.DateField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', 'environment', '-created_at', '-id'], name='customers_in_reading_order')],
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='customer_environment_is_known'), models.CheckConstraint(condition=models.Q(('customer_type__in', ['individual', 'business'])), name='customer_type_is_known')],
            },
        ),
    ]

"""Balances."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Balance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('currency', models.CharField(max_length=10)),
                ('available', models.BigIntegerField(default=0)),
                ('pending', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('last_reconciled_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', 'environment', '-created_at', '-id'], name='balances_in_reading_order')],
                'constraints': [models.UniqueConstraint(fields=('business', 'environment', 'currency'), name='one_balance_per_currency'), models.CheckConstraint(condition=models.Q(('available__gte', 0), ('pending__gte', 0), ('reserved__gte', 0)), name='a_balance_is_never_negative')],
            },
        ),
    ]

"""Buckets of the limits, nonces of signed calls, uses of Idempotency-Keys, and usage by day."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
        ('apikeys', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Bucket',
            fields=[
                ('name', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('arrives', models.FloatField()),
                ('granted', models.IntegerField(default=0)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='IdempotencyRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('key', models.CharField(max_length=120)),
                ('operation', models.CharField(max_length=60)),
                ('fingerprint', models.BinaryField(max_length=32)),
                ('request_id', models.CharField(max_length=40)),
                ('created_at', models.DateTimeField()),
                ('status', models.SmallIntegerField(null=True)),
                ('answer', models.BinaryField(default=b'')),
                ('object_id', models.CharField(blank=True, max_length=40)),
                ('outcome', models.TextField(null=True)),
                ('tries', models.SmallIntegerField(default=1)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('answer', b''), _negated=True), fields=['created_at'], name='idempotency_answers_by_age')],
                'constraints': [models.UniqueConstraint(fields=('business', 'environment', 'key'), name='an_idempotency_key_is_used_once')],
            },
        ),
        migrations.CreateModel(
            name='Nonce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nonce', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField(db_index=True)),
                ('key', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='apikeys.apikey')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'nonce'), name='a_nonce_is_used_once')],
            },
        ),
        migrations.CreateModel(
            name='UsageCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('operation', models.CharField(max_length=60)),
                ('day', models.DateField()),
                ('calls', models.BigIntegerField()),
                ('errors', models.BigIntegerField()),
                ('created_at', models.DateTimeField()),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', 'environment', '-created_at', '-id'], name='usage_in_reading_order')],
                'constraints': [models.UniqueConstraint(fields=('business', 'environment', 'operation', 'day'), name='one_count_of_an_operation_and_a_day')],
            },
        ),
        # Not worth a write-ahead log: losing them in a crash fills them, no more.
        migrations.RunSQL(
            "ALTER TABLE api_bucket SET UNLOGGED", "ALTER TABLE api_bucket SET LOGGED"
        ),
    ]

"""Buckets of the rate limits."""

from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
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
        # Not worth a write-ahead log: losing them in a crash fills them, no more.
        migrations.RunSQL("ALTER TABLE gateway_bucket SET UNLOGGED", "ALTER TABLE gateway_bucket SET LOGGED"),
    ]

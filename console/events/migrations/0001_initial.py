"""Events, their deliveries to listeners, and nightly runs."""

import console.core.ids
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='NightlyRun',
            fields=[
                ('name', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('since', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('evt',), **{}), max_length=40, unique=True)),
                ('kind', models.CharField(max_length=60)),
                ('subject_id', models.CharField(max_length=40)),
                ('payload', models.JSONField(default=dict)),
                ('happened_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['subject_id', 'happened_at'], name='events_by_subject')],
            },
        ),
        migrations.CreateModel(
            name='EventDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('listener', models.CharField(max_length=80)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('not_before', models.DateTimeField()),
                ('last_error', models.TextField(blank=True)),
                ('done_at', models.DateTimeField(null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deliveries', to='events.event')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('done_at', None)), fields=['not_before'], name='deliveries_waiting')],
                'constraints': [models.UniqueConstraint(fields=('event', 'listener'), name='a_listener_hears_once')],
            },
        ),
    ]

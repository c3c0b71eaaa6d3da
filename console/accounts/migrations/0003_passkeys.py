"""Create the table of passkeys."""

import functools

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import console.core.ids


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0002_list_pages'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The human-readable name of this device.', max_length=64)),
                ('confirmed', models.BooleanField(default=True, help_text='Is this device ready for use?')),
                ('created_at', models.DateTimeField(auto_now_add=True, help_text='The date and time when this device was initially created in the system.', null=True)),
                ('last_used_at', models.DateTimeField(blank=True, help_text='The most recent date and time this device was used.', null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('psk',), **{}), max_length=40, unique=True)),
                ('credential_id', models.BinaryField(max_length=1023, unique=True)),
                ('public_key', models.BinaryField()),
                ('sign_count', models.BigIntegerField()),
                ('held_until', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'abstract': False,
            },
        ),
    ]

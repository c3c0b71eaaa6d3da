"""Stored e-mails of demo mode."""

import console.core.clock
import console.shell.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DemoMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=console.shell.models.mail_id, max_length=40, unique=True)),
                ('sent_at', models.DateTimeField(default=console.core.clock.now)),
                ('to', models.CharField(max_length=320)),
                ('subject', models.CharField(max_length=300)),
                ('body', models.TextField()),
            ],
        ),
    ]

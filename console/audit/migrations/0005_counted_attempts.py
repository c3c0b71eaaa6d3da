from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0004_unreadable_bodies'),
    ]

    operations = [
        migrations.CreateModel(
            name='CountedAttempt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minute', models.DateTimeField()),
                ('network', models.GenericIPAddressField(null=True)),
                ('page', models.CharField(max_length=80)),
                ('status', models.PositiveSmallIntegerField()),
                ('refusal', models.CharField(blank=True, max_length=40)),
                ('request_id', models.CharField(max_length=40)),
                ('count', models.PositiveIntegerField(default=1)),
            ],
            options={
                'db_table': 'audit_counted_attempt',
                'constraints': [models.UniqueConstraint(fields=('minute', 'network', 'page', 'status', 'refusal'), name='attempts_of_a_minute_are_counted_once', nulls_distinct=False)],
            },
        ),
    ]

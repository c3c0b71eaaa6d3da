from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0002_job_runs'),
    ]

    operations = [
        migrations.CreateModel(
            name='JobTick',
            fields=[
                ('name', models.CharField(max_length=80, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
            ],
        ),
    ]

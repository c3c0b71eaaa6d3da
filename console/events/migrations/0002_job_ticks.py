from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0001_initial'),
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

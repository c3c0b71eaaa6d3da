import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_participants'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoppedMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254)),
                ('stopped_at', models.DateTimeField()),
                ('business', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('email', 'business'), name='mail_is_stopped_once', nulls_distinct=False)],
            },
        ),
    ]

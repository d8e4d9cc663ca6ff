import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """On its own: PostgreSQL does not make a column required in the transaction that filled it."""

    dependencies = [("sources", "0002_hosts_and_looks")]

    operations = [
        migrations.AlterField(
            model_name="link",
            name="host",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="links", to="sources.host"
            ),
        ),
    ]

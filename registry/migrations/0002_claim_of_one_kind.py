from django.db import migrations


class Migration(migrations.Migration):
    """Django has no composite foreign keys; these two keep a property of one kind from being claimed of another."""

    dependencies = [("registry", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql=[
                "ALTER TABLE registry_claim ADD CONSTRAINT claim_property_of_kind"
                " FOREIGN KEY (property_id, subject_kind) REFERENCES registry_property (id, subject_kind)",
                "ALTER TABLE registry_claim ADD CONSTRAINT claim_subject_of_kind"
                " FOREIGN KEY (subject_id, subject_kind) REFERENCES registry_subject (id, kind)",
            ],
            reverse_sql=[
                "ALTER TABLE registry_claim DROP CONSTRAINT claim_subject_of_kind",
                "ALTER TABLE registry_claim DROP CONSTRAINT claim_property_of_kind",
            ],
        )
    ]

from django.db import models


class RegistryState(models.Model):
    """One row whose version rises with every change readers can see: the ETag of every public page."""

    id = models.PositiveSmallIntegerField(primary_key=True)
    version = models.BigIntegerField(default=1)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="registrystate_one_row",
                condition=models.Q(id=1),
                violation_error_message="The registry has one state.",
            )
        ]

    def __str__(self):
        return f"{self.version}"

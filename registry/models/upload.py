from django.conf import settings
from django.db import models


class Upload(models.Model):
    """A result file on its way in, between its upload and its import: the uploader's alone, and at most one each.

    A browser does not send a file twice, so the form that completes it could not be shown again with an error unless the
    file were kept. It is kept here because every web process reads this database and may read nothing else.
    """

    by = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    sha256 = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    content = models.BinaryField(help_text="Compressed.")
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self):
        return f"{self.name} ({self.sha256[:12]})"

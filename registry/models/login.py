from django.db import models


class LoginFailure(models.Model):
    """A try to log in that was not right: kept for a day, to slow down guessing. Readers never see it.

    `account` is what was typed, in lower case, whether such an account exists or not; `address` is the client's.
    """

    account = models.CharField(max_length=150)
    address = models.CharField(max_length=45)
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["address", "at"], name="loginfailure_recent"),
            models.Index(fields=["at"], name="loginfailure_old"),
        ]

    def __str__(self):
        return f"{self.account} from {self.address} at {self.at:%Y-%m-%d %H:%M}"

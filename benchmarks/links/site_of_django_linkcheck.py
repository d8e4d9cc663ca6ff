"""A site with nothing in it but django-linkcheck and the addresses it is to check. Run by the Python it is installed for.

python site_of_django_linkcheck.py prepare DATABASE FILE     make the database, with one row an address
python site_of_django_linkcheck.py check DATABASE            its own command `checklinks`
"""

import sys
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command


def main(step, database, file=""):
    """Do one of the two steps."""
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        INSTALLED_APPS=["django.contrib.contenttypes", "linkcheck"],
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        MEDIA_URL="/media/",
        SITE_DOMAIN="benchmark.invalid",  # the agent it names itself by; without it nothing starts
        USE_TZ=True,
    )
    django.setup()
    if step == "prepare":
        call_command("migrate", verbosity=0)
        url = apps.get_model("linkcheck", "Url")
        url.objects.bulk_create(url(url=address) for address in Path(file).read_text().split())
    else:
        call_command("checklinks")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The web application. Only web requests run under a statement timeout: commands and workers may take their time."""

import os

from django.core.wsgi import get_wsgi_application

from registry.content_type import plain_content_type

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
os.environ.setdefault("DATABASE_STATEMENT_TIMEOUT", "3000")

application = plain_content_type(get_wsgi_application())

from django.apps import AppConfig


class SourcesConfig(AppConfig):
    name = "sources"
    verbose_name = "Sources"
    default_auto_field = "django.db.models.BigAutoField"

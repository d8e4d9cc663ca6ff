from django.apps import AppConfig

from registry import checks


class RegistryConfig(AppConfig):
    name = "registry"
    verbose_name = "Registry"
    default_auto_field = "django.db.models.BigAutoField"
    deploy_checks = (checks.two_database_roles, checks.broker_is_named)  # importing them registers them

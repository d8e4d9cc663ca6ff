from django.contrib.admin.apps import AdminConfig


class EditorsAdminConfig(AdminConfig):
    default_site = "registry.admin.site.default"

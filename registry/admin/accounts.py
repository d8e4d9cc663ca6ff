"""Accounts: administrators give roles; only a superuser gives more."""

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User

from registry.admin.lists import BoundedList
from registry.admin.site import site

OWN = "publish_own_"

for model in (User, Group):
    if site.is_registered(model):
        site.unregister(model)


@admin.register(User, site=site)
class AccountAdmin(BoundedList, UserAdmin):
    """Whoever is no superuser gives the three roles and the permission to publish one's own, to others, and no more."""

    list_display = ["username", "first_name", "last_name", "email", "is_staff", "is_active", "last_login"]
    list_filter = ["is_staff", "is_active", "groups"]
    filter_horizontal = ()
    actions = None

    def has_change_permission(self, request, obj=None):
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or request.user.is_superuser or not obj.is_superuser)

    def has_delete_permission(self, request, obj=None):
        """What a person wrote names them for ever: an account is switched off, not deleted."""
        return False

    def get_readonly_fields(self, request, obj=None):
        readonly = [*super().get_readonly_fields(request, obj), "last_login", "date_joined"]
        if not request.user.is_superuser:
            readonly.append("is_superuser")
            if obj is not None and obj.pk == request.user.pk:
                readonly += ["groups", "user_permissions", "is_staff", "is_active"]
        return readonly

    def save_related(self, request, form, formsets, change):
        """What only a superuser gives is not on an administrator's form, and stays as it was."""
        hidden = []
        if change and not request.user.is_superuser:
            hidden = list(form.instance.user_permissions.exclude(codename__startswith=OWN))
        super().save_related(request, form, formsets, change)
        form.instance.user_permissions.add(*hidden)

    def formfield_for_manytomany(self, db_field, request, **kwargs):
        field = super().formfield_for_manytomany(db_field, request, **kwargs)
        if db_field.name == "user_permissions":
            field.queryset = Permission.objects.select_related("content_type")
            if not request.user.is_superuser:
                field.queryset = field.queryset.filter(codename__startswith=OWN)
        return field


@admin.register(Group, site=site)
class RoleAdmin(BoundedList, GroupAdmin):
    actions = None

    def has_delete_permission(self, request, obj=None):
        """The three roles are always there."""
        return False

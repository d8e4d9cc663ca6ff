"""The base of every admin class: saves go through actions, refusals become form errors, nothing is deleted."""

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist

from registry.admin.lists import BoundedList
from registry.admin.refusals import REFUSALS, words
from registry.forms.directories import Directories
from registry.forms.records import RecordForm


class RecordAdmin(BoundedList, admin.ModelAdmin):
    """An admin whose subclasses say how a record is added and changed, with an action each."""

    form = RecordForm
    actions = None
    list_per_page = 50
    list_max_show_all = 200
    view_on_site = False
    # Datalists that the change form's fields complete from.
    directories = ()
    permanent = ()  # fields that are read-only once the record exists

    def add_record(self, request, form, formsets):
        """The saved record. Raises what the database refuses."""
        raise NotImplementedError

    def change_record(self, request, form, formsets):
        raise NotImplementedError

    def save_model(self, request, obj, form, change):
        """Nothing yet: record and rows below it are saved by one action, in save_related."""

    def save_related(self, request, form, formsets, change):
        if change:
            self.change_record(request, form, formsets)
        else:
            saved = self.add_record(request, form, formsets)
            form.instance.pk = saved.pk
            form.instance._state.adding = False

    def construct_change_message(self, request, form, formsets, add=False):
        """Which fields changed, for the admin's own log; rows below are written anew by the action and not counted."""
        return super().construct_change_message(request, form, [], add)

    def changeform_view(self, request, object_id=None, form_url="", extra_context=None):
        """The stock form; a refusal of the database is shown on it, with everything that was typed."""
        request.directories = Directories()
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except REFUSALS as error:
            request.refusal = words(error)
            request.directories = Directories()
            return super().changeform_view(request, object_id, form_url, extra_context)

    def get_object(self, request, object_id, from_field=None):
        found = super().get_object(request, object_id, from_field)
        if found is not None and request.method == "POST" and self.has_change_permission(request, found):
            # Whoever saves first holds the row until they are done; the second one then meets what the first saved.
            list(self.model._default_manager.select_for_update().filter(pk=found.pk).values_list("pk"))
            found = super().get_object(request, object_id, from_field)
        return found

    def get_form(self, request, obj=None, change=False, **kwargs):
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"request": request})

    def get_readonly_fields(self, request, obj=None):
        return [*super().get_readonly_fields(request, obj), *(self.permanent if obj else ())]

    def get_fieldsets(self, request, obj=None):
        """Without the fields that only a form has, where there is no form but a page to read."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        return [
            (title, {**options, "fields": [name for name in options["fields"] if self._readable(name)]})
            for title, options in fieldsets
        ]

    def _readable(self, name):
        if isinstance(name, tuple):
            return all(map(self._readable, name))
        if hasattr(self, name) or hasattr(self.model, name):
            return True
        try:
            self.model._meta.get_field(name)
        except FieldDoesNotExist:
            return False
        return True

    def render_change_form(self, request, context, add=False, change=False, form_url="", obj=None):
        context["datalists"] = request.directories.lists(*self.directories)
        return super().render_change_form(request, context, add, change, form_url, obj)

    def has_delete_permission(self, request, obj=None):
        """Nothing is deleted here; a draft is discarded by a step of its own."""
        return False

    @staticmethod
    def content(form, names):
        """Field → value of the fields an action is to write."""
        return {name: getattr(form.instance, name) for name in names if name in form.fields}

    @staticmethod
    def changed(form):
        """Field → new value of the model's own fields that an editor changed."""
        own = {field.name for field in form.instance._meta.concrete_fields}
        return {name: getattr(form.instance, name) for name in form.changed_data if name in own}


class NotedAdmin(RecordAdmin):
    """The admin of what published entries rest on: its change forms end with the note that readers see."""

    def get_fieldsets(self, request, obj=None):
        own = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return own
        return [*own, ("Note", {"fields": ["note"]})]

    @staticmethod
    def note(form):
        """What the editor said about the change."""
        return form.cleaned_data.get("note", "")


class ReadOnlyAdmin(BoundedList, admin.ModelAdmin):
    """To look at. What stands here is written by the database, by workers or together with something else."""

    actions = None
    list_per_page = 50
    view_on_site = False

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

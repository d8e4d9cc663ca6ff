"""The editors' site: the stock Django admin whose front page is the work queue."""

from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_not_required
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from registry.admin.queues import QUEUES
from registry.forms.login import LoginForm

TOO_MANY_REQUESTS = 429


class RegistryAdminSite(AdminSite):
    site_header = "Evidence registry: editing"
    site_title = "Editing"
    index_title = "Work queue"
    empty_value_display = "—"
    enable_nav_sidebar = False  # lists are wide; the front page leads everywhere
    login_form = LoginForm

    def get_urls(self):
        """Without the stock redirect to public pages, which breaks on ids that are no UUID; our forms link themselves."""
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    @method_decorator(never_cache)
    @login_not_required
    def login(self, request, extra_context=None):
        """The stock login page; where too many passwords were wrong, it says so with status 429 and Retry-After."""
        response = super().login(request, extra_context)
        # A redirect has no context, and so no form.
        wait = getattr((getattr(response, "context_data", None) or {}).get("form"), "wait", 0)
        if wait:
            response.status_code = TOO_MANY_REQUESTS
            response.headers["Retry-After"] = str(wait)
        return response

    def index(self, request, extra_context=None):
        """The work queue: each queue the person may act on, with its number of rows and a link to exactly those."""
        waiting = [queue.counted(request.user) for queue in QUEUES if queue.open_to(request.user)]
        sections = {}
        for queue in waiting:
            sections.setdefault(queue["section"], []).append(queue)
        return super().index(request, {**(extra_context or {}), "queue_sections": sections})


site = RegistryAdminSite()
site.disable_action("delete_selected")


def default():
    """What `django.contrib.admin.site` stands for; see registry.admin_config."""
    return site

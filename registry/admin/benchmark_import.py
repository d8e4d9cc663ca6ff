"""Importing result files: upload, complete, drafts. Three plain forms; what a file says is shown before it is kept."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect

from registry.actions.benchmark_import import import_file
from registry.actions.benchmark_plan import KnownFile, refuse_known
from registry.actions.uploads import forget, keep, kept
from registry.admin.refusals import REFUSALS, words
from registry.forms.benchmark_import import TOO_LARGE, CompletionForm, UploadForm, too_many_names
from registry.forms.directories import Directories
from registry.presentation.recognised import (
    definitions_of,
    missing_of,
    quirks_of,
    refused_of,
    runs_of,
    stated_by,
)
from registry.readers import read
from registry.readers.errors import Unreadable

MOST_RUNS = 600  # about 30 ms each; a whole round of a suite fits
MOST_PROBLEMS = 20
DATALISTS = ("sources", "organisations", "gpus", "checkpoints", "runtimes")


class Importing:
    """Adds the pages of the import to the admin of benchmark records."""

    def get_urls(self):
        wrap = self.admin_site.admin_view
        return [
            path("import/", wrap(self.import_view), name="registry_benchmarkrecord_import"),
            path("import/<str:sha256>/", wrap(self.complete_view), name="registry_benchmarkrecord_complete"),
            *super().get_urls(),
        ]

    @method_decorator(csrf_protect)
    def import_view(self, request):
        """Takes a file, and keeps it for its uploader once it was read."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form, known = UploadForm(), None
        if request.method == "POST":
            form = UploadForm(request.POST, request.FILES)
            if getattr(request, "file_too_large", False):
                form.errors["file"] = form.error_class([TOO_LARGE])
            elif form.is_valid():
                try:
                    return HttpResponseRedirect(self._complete_url(self._taken_in(request, form)))
                except KnownFile as error:
                    known = error
                except Unreadable as error:
                    form.add_error("file", str(error))
        return self._import_page(request, {"form": form, "known": known})

    def _taken_in(self, request, form):
        """The SHA-256 under which the file is kept. Raises KnownFile, and Unreadable for a file that no form completes."""
        file = form.cleaned_data["file"]
        data = file.read()
        refuse_known(data)
        _read(data, file.name)
        return keep(data, file.name, by=request.user)

    def _import_page(self, request, context):
        known = context["known"]
        page = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Import benchmark results: the file",
            "known_rows": self._of_file(known.artifact.sha256) if known else "",
            **context,
        }
        return TemplateResponse(request, "admin/registry/import.html", page, status=409 if known else 200)

    @method_decorator(csrf_protect)
    def complete_view(self, request, sha256):
        """Shows what was recognised, asks for the rest, and makes the drafts, all or none."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method == "POST" and "drop" in request.POST:
            forget(sha256, by=request.user)
            return self._begin_again(request, "The file is not kept any more.", messages.SUCCESS)
        found = kept(sha256, by=request.user)
        if found is None:
            return self._begin_again(
                request, "This file is not kept for you: upload it again.", messages.WARNING
            )
        data, name = found
        try:
            report = _read(data, name)
            refuse_known(data)
        except Unreadable as error:
            return self._begin_again(request, str(error), messages.ERROR)
        except KnownFile as known:
            forget(sha256, by=request.user)
            return self._import_page(request, {"form": UploadForm(), "known": known})
        directories = Directories()
        form = CompletionForm(report, directories, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            drafts = self._imported(request, data, name, form)
            if drafts is not None:
                forget(sha256, by=request.user)
                several = "1 draft was" if len(drafts) == 1 else f"{len(drafts)} drafts were"
                self.message_user(request, f"{several} made from {name}.", messages.SUCCESS)
                return HttpResponseRedirect(self._of_file(sha256))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Import benchmark results: what the file says, and what it does not",
            "name": name,
            "report": report,
            "form": form,
            "runs": runs_of(report),
            "refused": refused_of(report),
            "definitions": definitions_of(report),
            "stated": stated_by(report),
            "missing": missing_of(report),
            "quirks": quirks_of(report),
            "roles": [(role, form.rows(role)) for role in ("hardware", "checkpoint", "runtime", "submitter")],
            "datalists": directories.lists(*DATALISTS),
        }
        return TemplateResponse(request, "admin/registry/import_complete.html", context)

    @staticmethod
    def _imported(request, data, name, form):
        """The drafts; None where the form now says why there are none."""
        try:
            return import_file(data, name, form.supplied(), by=request.user, report=form.report)
        except (ValueError, KnownFile) as error:
            problems = str(error).splitlines()
            more = len(problems) - MOST_PROBLEMS
            for problem in [*problems[:MOST_PROBLEMS], *([f"… and {more} more."] if more > 0 else [])]:
                form.add_error(None, problem)
        except REFUSALS as error:
            form.add_error(None, words(error))
        return None

    def _begin_again(self, request, text, level):
        self.message_user(request, text, level)
        return HttpResponseRedirect(reverse("admin:registry_benchmarkrecord_import"))

    @staticmethod
    def _complete_url(sha256):
        return reverse("admin:registry_benchmarkrecord_complete", args=[sha256])

    @staticmethod
    def _of_file(sha256):
        return f"{reverse('admin:registry_benchmarkrecord_changelist')}?file={sha256}"


def _read(data, name):
    """The report of a file that a form can complete. Raises Unreadable."""
    report = read(data, name)
    runs = [run for run in report.runs if not run.refused]
    by_command = "Split it, or import it with manage.py import_benchmark."
    if len(runs) > MOST_RUNS:
        raise Unreadable(
            f"{name}: The file holds {len(runs):,} runs; at most {MOST_RUNS:,} are imported here. {by_command}"
        )
    if not runs:
        why = report.runs[0].refused if report.runs else "it holds none."
        raise Unreadable(f"{name}: No run of the file can become a record: {why}")
    if names := too_many_names(report):
        raise Unreadable(f"{name}: {names} {by_command}")
    return report

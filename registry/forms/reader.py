"""What readers may say in an address, checked; a wrong value is answered with what is allowed."""

import difflib
import re
from urllib.parse import urlencode

from django import forms
from django.utils import timezone

from registry.errors import BadParameters
from registry.models import GPU, BenchmarkRecord, Runtime, Subject, Workload
from registry.models.subject import SubjectKind
from sources.addresses import is_tracking
from sources.models import Organisation, Source

MOST_PROBLEMS = 10


class AddressForm(forms.Form):
    """A GET form whose address is the state of the page."""

    use_required_attribute = False

    @classmethod
    def read(cls, request, **kwargs):
        """The valid form, or BadParameters with a sentence for each parameter that cannot be followed."""
        form = cls(request.GET, **kwargs)
        problems = [
            f"{name}={request.GET.get(name, '')[:80]}: {' '.join(errors)}{form.allowed(name)}"
            for name, errors in form.errors.items()
        ]
        problems += [
            form.unknown(name) for name in request.GET if name not in form.fields and not is_tracking(name)
        ]
        if problems:
            raise BadParameters(problems[:MOST_PROBLEMS])
        return form

    def unknown(self, name):
        """What to say of a parameter the page does not know; silence would show a page that was not asked for."""
        near = difflib.get_close_matches(name[:80], self.fields, 1)
        known = f"it knows {', '.join(self.fields)}" if self.fields else "it takes none"
        return f"{name[:80]}: this page knows no such parameter; {known}.{f' Did you mean {near[0]}?' if near else ''}"

    def allowed(self, name):
        choices = [str(value) for value, _ in getattr(self.fields.get(name), "choices", []) if value]
        return f" Allowed: {', '.join(choices)}." if choices else ""

    @property
    def in_use(self):
        """Name → value of the filters that are set."""
        return {
            name: value for name, value in self.cleaned_data.items() if value not in ("", None, False, [])
        }

    def address(self, path):
        """The address of the page in this state: what the form knows and nothing else, in its order."""
        query = {name: value for name, value in self.in_use.items() if (name, value) != ("page", 1)}
        return f"{path}?{urlencode(query)}" if query else path


class DayField(forms.DateField):
    """A day that has come, in ISO form."""

    def __init__(self, **kwargs):
        super().__init__(
            input_formats=["%Y-%m-%d"],
            widget=forms.DateInput(attrs={"type": "date"}),
            error_messages={"invalid": "Give a day such as 2026-11-30."},
            **kwargs,
        )

    def clean(self, value):
        day = super().clean(value)
        if day and day > timezone.now().date():
            raise forms.ValidationError("That day has not come yet.")
        return day


class LibraryForm(AddressForm):
    q = forms.CharField(label="Name", required=False, max_length=100)
    maker = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(required=False)

    def __init__(self, *args, library, makers, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["maker"].choices = [("", "Any maker"), *makers]
        kinds = {SubjectKind.GPU: GPU.Kind, SubjectKind.RUNTIME: Runtime.Layer}.get(library.kind)
        if kinds:
            self.fields["kind"].choices = [("", "Any kind"), *kinds.choices]
        else:
            del self.fields["kind"]


class CompareForm(AddressForm):
    ids = forms.CharField(required=False, widget=forms.HiddenInput, max_length=800)
    add = forms.ChoiceField(label="Add", required=False)
    group = forms.ChoiceField(label="Rows", required=False)
    as_of = DayField(label="As of", required=False)
    diff = forms.BooleanField(label="Only differences", required=False)

    def __init__(self, *args, addable, groups, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["add"].choices = [("", "Nothing more"), *addable]
        self.fields["group"].choices = [("", "All rows"), *groups]


class DayForm(AddressForm):
    as_of = DayField(label="As of", required=False)


class BenchmarksForm(AddressForm):
    q = forms.CharField(label="Model, system, tool", required=False, max_length=100)
    hardware = forms.ChoiceField(required=False)
    checkpoint = forms.ChoiceField(required=False)
    runtime = forms.ChoiceField(required=False)
    submitter = forms.ChoiceField(required=False)
    suite = forms.ChoiceField(required=False)
    load = forms.ChoiceField(required=False, choices=[("", "Any load"), *Workload.LoadMode.choices])
    page = forms.IntegerField(required=False, min_value=1, max_value=10000, widget=forms.HiddenInput)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        published = BenchmarkRecord.objects.published()
        for role in ("hardware", "checkpoint", "runtime"):
            subjects = Subject.objects.filter(pk__in=published.values(role)).order_by("name")
            self.fields[role].choices = [("", f"Any {role}"), *subjects.values_list("slug", "name")]
        submitters = Organisation.objects.filter(pk__in=published.values("submitter")).order_by("name")
        self.fields["submitter"].choices = [("", "Any submitter"), *submitters.values_list("key", "name")]
        suites = published.exclude(suite="").order_by("suite").values_list("suite", flat=True).distinct()
        self.fields["suite"].choices = [("", "Any suite or none"), *((suite, suite) for suite in suites)]


class RecordsForm(AddressForm):
    """r=B-1,B-2 or r=B-1&r=B-2: two to six records."""

    MOST = 6

    r = forms.CharField(required=False, max_length=200)

    def clean_r(self):
        found = []
        said = ",".join(self.data.getlist("r"))  # ticked boxes come one by one
        for text in filter(None, (part.strip() for part in said.split(","))):
            if not re.fullmatch(r"B-[1-9][0-9]{0,7}", text):
                raise forms.ValidationError(f"“{text[:20]}” is no record: give r=B-1,B-2.")
            if int(text[2:]) not in found:
                found.append(int(text[2:]))
        if len(found) > self.MOST:
            raise forms.ValidationError(f"{len(found)} records are too many: choose {self.MOST} at most.")
        return found

    def address(self, path):
        numbers = ",".join(f"B-{number}" for number in self.cleaned_data["r"])
        return f"{path}?r={numbers}" if numbers else path


class PagedForm(AddressForm):
    page = forms.IntegerField(required=False, min_value=1, max_value=10000)


class SourcesForm(AddressForm):
    AGES = [("", "Any age"), ("due", "Verification due"), ("fresh", "Verified in the last six months")]
    READ = [("", "Any"), ("directly", "The text itself"), ("second-hand", "At second hand")]
    LINKS = [
        ("", "Any standing"),
        ("ok", "Answers"),
        ("broken", "Link broken"),
        ("unreachable", "Could not be reached"),
        ("moved", "Source moved"),
        ("changed", "Source changed, under review"),
        ("doubtful", "A person has to look"),
        ("uncheckable", "Cannot be checked by machine"),
        ("unchecked", "Not checked yet"),
    ]

    q = forms.CharField(label="Title", required=False, max_length=100)
    publisher = forms.ChoiceField(required=False)
    kind = forms.ChoiceField(required=False, choices=[("", "Any kind"), *Source.Kind.choices])
    state = forms.ChoiceField(required=False, choices=[("", "Any state"), *Source.State.choices])
    age = forms.ChoiceField(label="Verification", required=False, choices=AGES)
    read = forms.ChoiceField(label="Read", required=False, choices=READ)
    link = forms.ChoiceField(label="Link", required=False, choices=LINKS)
    page = forms.IntegerField(required=False, min_value=1, max_value=10000, widget=forms.HiddenInput)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        publishers = Organisation.objects.filter(sources__in=Source.objects.published()).distinct()
        self.fields["publisher"].choices = [
            ("", "Any publisher"),
            *publishers.values_list("key", "name"),
        ]

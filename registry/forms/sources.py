"""Adding a source, address first, and recording that a person read one."""

from datetime import UTC, datetime

from django import forms
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import slugify

from registry.forms.directories import KeyedField
from registry.forms.records import NotedForm
from sources.actions.sources import existing
from sources.addresses import LONGEST_ADDRESS, AddressError, normalise
from sources.models import Organisation, Source, Verification
from sources.models.verification import Representation

MOVING = ("latest", "stable", "main", "master", "nightly", "current", "dev", "head")
OPENED = "I opened it today and read it"


def today():
    return datetime.now(UTC).date()


def moving_part(url):
    """The part of an address that says its page changes with time ("latest"), or an empty string."""
    return next((part for part in url.lower().split("/") if part in MOVING), "")


class AddressField(forms.CharField):
    """An address in its one form. `address` keeps what else was read from it."""

    def __init__(self, **kwargs):
        super().__init__(
            max_length=LONGEST_ADDRESS,
            widget=forms.TextInput(
                {"size": 90, "inputmode": "url", "autocomplete": "off", "spellcheck": "false"}
            ),
            **kwargs,
        )

    def clean(self, value):
        text = super().clean(value)
        if text:
            try:
                normalise(text)
            except AddressError as error:
                raise forms.ValidationError(str(error)) from error
        return text


class AddressForm(forms.Form):
    """Step one: nothing but the address, and the version where the address does not say it."""

    address = AddressField(help_text="Paste it; tracking parameters are taken off.")
    version = forms.CharField(
        required=False,
        max_length=100,
        help_text="Only for another edition of a work that is registered already, as in “2.1” or “2025-03”.",
    )


class LinesField(forms.CharField):
    """Short texts, one a line."""

    def __init__(self, *, longest, **kwargs):
        self.longest = longest
        super().__init__(widget=forms.Textarea({"rows": 4, "cols": 80}), max_length=8000, **kwargs)

    def prepare_value(self, value):
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value):
        return [line.strip() for line in super().to_python(value).splitlines() if line.strip()]

    def run_validators(self, value):
        super().run_validators("\n".join(value))

    def validate(self, value):
        super().validate(value)
        if any(len(line) > self.longest for line in value):
            raise forms.ValidationError(
                f"A scope note has at most {self.longest} characters: break it into two lines."
            )

    def has_changed(self, initial, data):
        return (initial or []) != self.to_python(data)


class SourceForm(NotedForm):
    """A source's own fields. Once it is verified a change takes a note, which readers see under Corrections."""

    note_missing = "Say what changed and why: this source is verified, and readers see the note."

    url = AddressField(label="Address")
    publisher = KeyedField(
        "organisations",
        required=False,
    )
    superseded_by = KeyedField(
        "sources", required=False, help_text="Only where the state is superseded: its successor's key."
    )
    edition_of = KeyedField(
        "sources", required=False, help_text="The floating record of which this is a pinned edition."
    )
    scope_notes = LinesField(longest=400, required=False, help_text="What it covers, one short note a line.")
    opened_today = forms.BooleanField(required=False, label=OPENED)
    representation = forms.ChoiceField(
        required=False, choices=[("", "—"), *Representation.choices], label="What was in front of you"
    )
    verification_note = forms.CharField(required=False, max_length=500, label="Note on the reading")

    class Meta:
        model = Source
        fields = "__all__"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if "publisher" in self.fields:
            self.fields["publisher"].help_text = format_html(
                'Key or name (<a href="{}">add an organisation</a>). Without one it is a lead and carries no publication.',
                reverse("admin:sources_organisation_add"),
            )
        if "key" in self.fields:
            self.fields["key"].required = False
            self.fields["key"].help_text = "Permanent. Left empty it is made from publisher and title."

    def clean(self):
        cleaned = super().clean()
        if "url" in cleaned:
            self._refuse_duplicate(cleaned)
        if "key" in self.fields and not cleaned.get("key") and cleaned.get("title"):
            cleaned["key"] = self._key(cleaned)
        publisher = cleaned.get("publisher")
        if self.instance.publisher_id and publisher is None and "publisher" not in self.errors:
            self.add_error(
                "publisher", "An attribution is never removed once given: name the right publisher instead."
            )
        for field in ("published_on", "last_modified_on"):
            if (date := cleaned.get(field)) and date > today():
                self.add_error(
                    field,
                    f"{date} has not come yet: give the day the source bears, of a month or a year the first.",
                )
        reading = [cleaned.get("representation"), cleaned.get("verification_note")]
        if cleaned.get("opened_today") and not cleaned.get("representation"):
            self.add_error(
                "representation", "Say what was in front of you: the full text, an excerpt, a transcription …"
            )
        if any(reading) and not cleaned.get("opened_today"):
            self.add_error(
                "opened_today",
                "A verification is recorded only by who opened the source today: tick it, or leave the rest empty.",
            )
        return cleaned

    def rested_on(self):
        return self.instance.verified_on is not None

    def _refuse_duplicate(self, cleaned):
        address = normalise(cleaned["url"])
        version = (cleaned.get("version") or "").strip() or address.version
        known = (
            Source.objects.filter(work_id=address.work_id, version=version)
            .exclude(pk=self.instance.pk)
            .first()
        )
        if known:
            self.add_error("url", known_already(known))
        cleaned["version"] = version

    @staticmethod
    def _key(cleaned):
        publisher = cleaned.get("publisher")
        stem = slugify(
            f"{publisher.key if isinstance(publisher, Organisation) else ''} {cleaned['title']}".replace(
                "_", "-"
            )
        )
        stem = stem[:80].strip("-") or "source"
        taken = set(Source.objects.filter(key__startswith=stem).values_list("key", flat=True))
        return next(
            key for n in range(1, len(taken) + 2) if (key := stem if n == 1 else f"{stem}-{n}") not in taken
        )


def known_already(source):
    """A sentence with a link to the source that an address leads to."""
    return format_html(
        'This work is registered already: <a href="{}">{}</a>, key {}. '
        "Use that record, or name another version of the work.",
        reverse("admin:sources_source_change", args=[source.pk]),
        source,
        source.key,
    )


class VerificationForm(forms.Form):
    opened_today = forms.BooleanField(
        label=OPENED,
        error_messages={
            "required": "Only who opened the source today records a verification: open it, then tick this."
        },
    )
    representation = forms.ChoiceField(
        label="What was in front of you", choices=Representation.choices, widget=forms.RadioSelect
    )
    outcome = forms.ChoiceField(
        label="What you found",
        choices=Verification.Outcome.choices,
        initial=Verification.Outcome.CONFIRMED,
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        required=False,
        max_length=500,
        widget=forms.Textarea({"rows": 2, "cols": 70}),
        help_text="Readers see it.",
    )


def matches(url, version=""):
    """(normalised address, the source of exactly this work and version or None, sources of other versions)."""
    address = normalise(url)
    same = existing(url, version)
    others = Source.objects.filter(work_id=address.work_id).select_related("publisher")
    return address, same, [source for source in others if source != same]

"""Forms of organisations, subjects and properties."""

from django import forms

from registry.actions.subjects import DETAILS
from registry.forms.directories import KeyedField
from registry.forms.records import NotedForm, stamp
from registry.models import GPU, FormerSlug, Property, Runtime, Subject
from registry.models.subject import SubjectKind
from registry.reasoning.slugs import SlugError, slug_of
from sources.models import Organisation

# The fields of each kind of subject beside what all have; the form's names are the detail's own but for the GPU's kind.
DETAIL_FIELDS = {
    SubjectKind.GPU: ["gpu_kind", "form_factor"],
    SubjectKind.CHECKPOINT: ["identifier"],
    SubjectKind.RUNTIME: ["layer", "repository"],
}
REQUIRED = {"gpu_kind", "identifier", "layer"}
COLUMN = {"gpu_kind": "kind"}


class OrganisationForm(NotedForm):
    parent = KeyedField(
        "organisations", required=False, help_text="The organisation it belongs to: key or name."
    )

    class Meta:
        model = Organisation
        fields = "__all__"


class SubjectForm(NotedForm):
    maker = KeyedField("organisations", help_text="Key or name.")
    gpu_kind = forms.ChoiceField(label="Kind of GPU", required=False, choices=[("", "—"), *GPU.Kind.choices])
    form_factor = forms.CharField(required=False, max_length=50)
    identifier = forms.CharField(
        required=False, max_length=200, help_text="The publisher's exact identifier."
    )
    layer = forms.ChoiceField(required=False, choices=[("", "—"), *Runtime.Layer.choices])
    repository = forms.CharField(required=False, max_length=200, help_text="The project's exact identifier.")

    class Meta:
        model = Subject
        fields = "__all__"
        help_texts = {
            "slug": "Its address in the library; left empty it is made from the name. "
            "When it is renamed, the old address goes on to lead here."
        }

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.detail = {}
        self.instance.former = ""
        self.slug_before = self.instance.slug
        if "slug" in self.fields:
            self.fields["slug"].required = False
        if known := self._known_detail():
            self.initial |= {
                name: getattr(known, COLUMN.get(name, name)) for name in DETAIL_FIELDS[self.instance.kind]
            }

    def _known_detail(self):
        kind = self.instance.kind
        return kind in DETAILS and DETAILS[kind].objects.filter(subject=self.instance.pk).first()

    def stamp(self):
        """The details stand in a row of their own: who changes only them is noticed too."""
        known = self._known_detail()
        return super().stamp() + (stamp(known) if known else "")

    def clean(self):
        cleaned = super().clean()
        kind = self.instance.kind or cleaned.get("kind")
        if (
            "slug" in self.fields
            and not cleaned.get("slug")
            and "slug" not in self.errors
            and cleaned.get("name")
        ):
            try:
                cleaned["slug"] = slug_of(cleaned["name"])
            except SlugError as error:
                self.add_error("slug", str(error))
        for name in DETAIL_FIELDS.get(kind, []):
            if name in REQUIRED and not cleaned.get(name):
                self.add_error(name, f"A {SubjectKind(kind).label} needs this.")
        self.detail = {COLUMN.get(name, name): cleaned.get(name, "") for name in DETAIL_FIELDS.get(kind, [])}
        others = [name for other, names in DETAIL_FIELDS.items() if other != kind for name in names]
        for name in others:
            if cleaned.get(name) and kind:
                self.add_error(name, f"Leave this empty: it is not for a {kind}.")
        if cleaned.get("slug") and cleaned["slug"] != self.slug_before:
            self._refuse_taken(kind, cleaned["slug"])
            self.instance.former = self.slug_before
        return cleaned

    def _refuse_taken(self, kind, slug):
        of_others = {"kind": kind, "slug": slug}
        if other := Subject.objects.filter(**of_others).exclude(pk=self.instance.pk).first():
            self.add_error("slug", f"“{slug}” is the address of {other}: choose another slug.")
        elif former := FormerSlug.objects.filter(**of_others).exclude(subject=self.instance.pk).first():
            self.add_error(
                "slug",
                f"“{slug}” was the address of {former.subject} and still leads there: choose another slug.",
            )


class PropertyForm(NotedForm):
    layout = ("group", "position", "headline")
    subject_kind = forms.ChoiceField(label="Kind of subject", choices=SubjectKind.choices)

    class Meta:
        model = Property
        fields = "__all__"

    @property
    def fields_of_property(self):
        return [name for name in self.fields if name not in ("seen", "note")]

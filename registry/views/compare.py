import difflib
from urllib.parse import urlencode

from django.http import HttpResponse

from registry.errors import BadParameters
from registry.forms.reader import CompareForm
from registry.models import Claim, FormerSlug, Property, Publication, Subject
from registry.presentation.claims import Provenance
from registry.presentation.comparison import Column
from registry.presentation.comparison import compare as compared
from registry.presentation.downloads import claims_csv
from registry.presentation.navigation import by_name
from registry.presentation.page import HOME, Link, Page, with_suffix
from registry.views.rendering import moved, public_page, record_of, render
from sources.models import Verification

MOST = 6


@public_page(formats=("html", "md", "csv"))
def compare(request, library):
    """Up to six subjects side by side. The address is the whole state, in the order of its ids."""
    public = by_name(Subject.objects.public().of_kind(library.kind))
    # Of what was ever published: what editors prepare must not change a page.
    groups = Property.objects.filter(pk__in=Claim.objects.ever_published().values("property")).groups(
        library.kind
    )
    form = CompareForm.read(
        request, addable=[(s.slug, s.name) for s in public], groups=[(group, group) for group in groups]
    )
    slugs = _slugs(request, form)
    subjects = _chosen(slugs, public, library)
    address = _address(library, subjects, form.cleaned_data)
    written = ",".join(subject.slug for subject in subjects)
    if request.GET.getlist("ids") not in ([], [written]) or form.cleaned_data["add"]:
        return moved(request, address)

    day = form.cleaned_data["as_of"]
    claims = Claim.objects.standing(day).for_subjects(subjects).for_readers(day)
    if form.cleaned_data["group"]:
        claims = claims.filter(property__group=form.cleaned_data["group"])
    compares = len(subjects) > 1
    claims = list(claims) if compares else []
    provenance = Provenance(Verification.objects.as_of(day) if day else None)
    columns = _columns(library, subjects, form.cleaned_data)
    comparison = compared(subjects, claims, provenance, columns, form.cleaned_data["diff"])
    if request.representation == "csv":
        shown = {row.key for row in comparison.rows}
        return _download(subjects, [claim for claim in claims if claim.property.key in shown], provenance)

    comparison.caption = (
        f"{library.plural[0].upper()}{library.plural[1:]} side by side, in the order of the address"
    )
    names = ", ".join(subject.name for subject in subjects)
    page = Page(
        f"Compare {library.plural}" + (f": {names}" if subjects else ""),
        f"What attributed sources state about {names or library.plural}, property by property, without any order of merit.",
        address,
        [HOME, Link(library.label, library.path), Link("Compare")],
        kicker=[library.label, "Comparison"],
        record=record_of(Publication.objects.about(subjects).until(day)) if compares else None,
        actions=[Link("Markdown", with_suffix(address, "md")), Link("CSV", with_suffix(address, "csv"))]
        if compares
        else [],
    )
    return render(
        request,
        "pages/compare/detail.html",
        page,
        {
            "library": library,
            "form": CompareForm(
                {**form.cleaned_data, "ids": ",".join(slugs)},
                addable=[(s.slug, s.name) for s in public if s not in subjects]
                if len(subjects) < MOST
                else [],
                groups=[(group, group) for group in groups],
            ),
            "chosen": subjects,
            "table": comparison if compares else None,
            "as_of": day,
            "hidden": comparison.hidden,
            "rows": len(comparison.rows),
            "examples": _examples(library, public),
            "choices": public,
            "copy": {"id": "address", "label": "Address of this comparison", "text": page.canonical},
            "current_address": _address(library, subjects, {**form.cleaned_data, "as_of": None}),
            "sources": provenance.sources,
            "drawers": provenance.drawers,
        },
    )


def _slugs(request, form):
    """The slugs asked for, in order, each once: ids=a,b and ids=a&ids=b alike, and what the form adds."""
    asked = ",".join([*request.GET.getlist("ids"), form.cleaned_data["add"]])
    return list(dict.fromkeys(slug.strip() for slug in asked.split(",") if slug.strip()))


def _chosen(slugs, public, library):
    by_slug = {subject.slug: subject for subject in public}
    renamed = {}
    if not by_slug.keys() >= set(slugs):
        former = FormerSlug.objects.filter(kind=library.kind, slug__in=slugs[:50]).select_related("subject")
        renamed = {old.slug: by_slug.get(old.subject.slug) for old in former}
    problems = []
    chosen = []
    for slug in slugs[:50]:
        subject = by_slug.get(slug) or renamed.get(slug)
        if subject is None:
            near = difflib.get_close_matches(slug, by_slug, 1, 0.5)
            hint = f" Did you mean {near[0]}?" if near else f" The library is at {library.path}."
            problems.append(f"ids: there is no {library.noun} “{slug[:80]}” here.{hint}")
        elif subject not in chosen:
            chosen.append(subject)
    if len(chosen) > MOST or len(slugs) > 50:
        problems.append(
            f"ids: {len(slugs)} {library.plural} were asked for; at most {MOST} stand side by side. Take some out."
        )
    if problems:
        raise BadParameters(problems)
    return chosen


def _address(library, subjects, chosen):
    query = {
        "ids": ",".join(subject.slug for subject in subjects),
        "group": chosen["group"],
        "as_of": chosen["as_of"] or "",
        "diff": "1" if chosen["diff"] else "",
    }
    return _joined(f"{library.path}/compare", query)


def _joined(path, query):
    encoded = urlencode({name: value for name, value in query.items() if value}, safe=",")
    return f"{path}?{encoded}" if encoded else path


def _columns(library, subjects, chosen):
    return [
        Column(
            subject.name,
            f"{library.path}/{subject.slug}",
            remove_url=_address(library, [other for other in subjects if other != subject], chosen),
        )
        for subject in subjects
    ]


def _examples(library, public):
    """Three comparisons to begin with: neighbours by name."""
    starts = range(0, max(len(public) - 1, 0), max(len(public) // 3, 1))
    return [
        Link(
            " and ".join(subject.name for subject in public[start : start + 2]),
            _joined(f"{library.path}/compare", {"ids": ",".join(s.slug for s in public[start : start + 2])}),
        )
        for start in list(starts)[:3]
        if start + 1 < len(public)
    ]


def _download(subjects, claims, provenance):
    response = HttpResponse(claims_csv(subjects, claims, provenance), content_type="text/csv; charset=utf-8")
    name = "-".join(subject.slug for subject in subjects)[:100] or "comparison"
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response

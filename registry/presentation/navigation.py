from django.conf import settings

from registry.models.subject import SubjectKind
from registry.presentation.page import Link


class Library:
    """One of the three libraries: its words on pages, and where it stands."""

    def __init__(self, kind, path, label, noun, plural, description):
        self.kind, self.path, self.label = kind, path, label
        self.noun, self.plural, self.description = noun, plural, description


GPUS = Library(
    SubjectKind.GPU,
    "/gpus",
    "GPU Library",
    "GPU",
    "GPUs",
    "Accelerators and rack-scale systems, and what attributed sources state about each of them.",
)
MODELS = Library(
    SubjectKind.CHECKPOINT,
    "/models",
    "Model Index",
    "model checkpoint",
    "model checkpoints",
    "Model checkpoints by their publisher’s exact identifier: identity, license and deployment context.",
)
STACK = Library(
    SubjectKind.RUNTIME,
    "/inference-stack",
    "Inference Stack",
    "runtime",
    "runtimes",
    "Serving engines, servers and platforms, and what their documentation states they do.",
)
LIBRARIES = [GPUS, MODELS, STACK]
LIBRARY_OF = {library.kind: library for library in LIBRARIES}

# Only sections that exist, in the order of the research navigation; the registers follow.
SECTIONS = [
    ("Resources", "/resources"),
    *((library.label, library.path) for library in LIBRARIES),
    ("Benchmarks", "/benchmarks"),
    ("Sources", "/sources"),
    ("Corrections", "/corrections"),
]
LINK_CHECKER = ("Link checker", "/about/link-checker")


def navigation(path):
    return [Link(label, url, path == url or path.startswith(url + "/")) for label, url in SECTIONS]


def site():
    return {
        "name": settings.SITE_NAME,
        "url": settings.SITE_URL,
        "publisher": settings.SITE_NAME,
        "motto": "Evidence before conclusions",
        "principle": (
            "Read what a source states, open the passage, and carry its conditions and boundary into your own evaluation."
        ),
        "operator_statement": _statement(),
        "social": [Link(label, url) for label, url in settings.SOCIAL_LINKS],
    }


def _statement():
    if not settings.SITE_STATEMENT:
        return ""
    return f"{settings.SITE_STATEMENT} Stated on {settings.SITE_STATEMENT_DATE}."


def footer(subjects):
    """Every section and every public subject: from any page each record is one click away."""
    by_kind = {}
    for subject in by_name(subjects):
        by_kind.setdefault(subject.kind, []).append(Link(subject.name, subject_url(subject)))
    return [
        {
            "title": "Registers",
            "url": "",
            "items": [Link(label, url) for label, url in [*SECTIONS, LINK_CHECKER]],
        },
        *(
            {
                "title": library.label,
                "url": library.path,
                "items": [
                    *by_kind.get(library.kind, []),
                    Link(f"Compare {library.plural}", f"{library.path}/compare"),
                ],
            }
            for library in LIBRARIES
        ),
    ]


def subject_url(subject):
    """The address of a subject's page, or "" for a kind that has no library (organisations, facilities)."""
    library = LIBRARY_OF.get(subject.kind)
    return f"{library.path}/{subject.slug}" if library else ""


def by_name(subjects):
    """Subjects in the order readers look them up: gpt-oss among the Gs, not behind the Zs."""
    return sorted(subjects, key=lambda subject: (subject.name.casefold(), subject.name))

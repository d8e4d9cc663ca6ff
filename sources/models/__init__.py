from sources.models.history import ReferenceChange
from sources.models.link import Link, LinkCheck, PassageCheck
from sources.models.organisation import Organisation
from sources.models.passage import Passage
from sources.models.source import Source
from sources.models.verification import Verification

__all__ = [
    "Link",
    "LinkCheck",
    "Organisation",
    "Passage",
    "PassageCheck",
    "ReferenceChange",
    "Source",
    "Verification",
]

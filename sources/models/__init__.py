from sources.models.history import ReferenceChange
from sources.models.host import Host
from sources.models.link import Link, LinkCheck, PassageCheck, PassageLook
from sources.models.organisation import Organisation
from sources.models.passage import Passage
from sources.models.source import Source
from sources.models.verification import Verification

__all__ = [
    "Host",
    "Link",
    "LinkCheck",
    "Organisation",
    "Passage",
    "PassageCheck",
    "PassageLook",
    "ReferenceChange",
    "Source",
    "Verification",
]

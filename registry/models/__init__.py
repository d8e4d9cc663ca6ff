from registry.models.benchmark import Artifact, BenchmarkCitation, BenchmarkRecord, Measurement
from registry.models.claim import Claim, ClaimCitation, ClaimContext
from registry.models.entry import Entry
from registry.models.login import LoginFailure
from registry.models.property import Property
from registry.models.publication import Publication, PublicationHead
from registry.models.reproduction import Reproduction, ReproductionCitation
from registry.models.state import RegistryState
from registry.models.subject import GPU, Checkpoint, FormerSlug, Runtime, Subject
from registry.models.upload import Upload
from registry.models.workload import Metric, Workload

__all__ = [
    "GPU",
    "Artifact",
    "BenchmarkCitation",
    "BenchmarkRecord",
    "Checkpoint",
    "Claim",
    "ClaimCitation",
    "ClaimContext",
    "Entry",
    "FormerSlug",
    "LoginFailure",
    "Measurement",
    "Metric",
    "Property",
    "Publication",
    "PublicationHead",
    "RegistryState",
    "Reproduction",
    "ReproductionCitation",
    "Runtime",
    "Subject",
    "Upload",
    "Workload",
]

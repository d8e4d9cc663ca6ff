"""Rows the registry cannot be without: its state, the log's head, the metrics, and the editors' three roles."""

from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from registry.models import Metric, PublicationHead, RegistryState
from registry.readers.metrics import METRICS

_WRITES = ["add", "change", "view"]
_AUTHOR = {
    *(
        f"{verb}_{model}"
        for verb in _WRITES
        for model in ["claim", "reproduction", "benchmarkrecord", "source", "passage"]
    ),
    *(f"{verb}_{model}" for verb in ["add", "view"] for model in ["verification", "organisation"]),
    *(
        f"{verb}_{model}"
        for verb in ["add", "change", "delete"]
        for model in ["claimcitation", "claimcontext", "benchmarkcitation", "measurement"]
    ),
    *(f"{verb}_reproductioncitation" for verb in ["add", "change", "delete"]),
    *(
        f"view_{model}"
        for model in ["claimcitation", "claimcontext", "reproductioncitation", "subject", "property"]
    ),
    *(
        f"view_{model}"
        for model in ["gpu", "checkpoint", "runtime", "publication", "referencechange", "link"]
        + ["workload", "metric", "artifact", "benchmarkcitation", "measurement"]
    ),
    # Only drafts can be deleted, whoever asks.
    "delete_claim",
    "delete_reproduction",
    "delete_benchmarkrecord",
    "add_workload",
    "add_artifact",
}
_REVIEWER = _AUTHOR | {"publish_claim", "publish_reproduction", "publish_benchmarkrecord"}
_ADMINISTRATOR = _REVIEWER | {
    *(f"{verb}_{model}" for verb in _WRITES for model in ["organisation", "subject", "property", "user"]),
    *(f"{verb}_{model}" for verb in _WRITES for model in ["gpu", "checkpoint", "runtime"]),
    "view_group",
}
ROLES = {"author": _AUTHOR, "reviewer": _REVIEWER, "administrator": _ADMINISTRATOR}


def seed(using="default"):
    """Makes the rows that are missing and gives each role its permissions. A second run changes nothing."""
    PublicationHead.objects.using(using).get_or_create(id=1)
    RegistryState.objects.using(using).get_or_create(id=1, defaults={"changed_at": timezone.now()})
    # A metric whose formula differs from the one in the database is refused there: it needs a key of its own.
    Metric.objects.using(using).bulk_create(
        [_metric(metric) for metric in METRICS.values()],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["name", "formula", "unit", "clock", "per", "phase", "tools", "per_accelerator"],
    )
    for name, codenames in ROLES.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.set(Permission.objects.using(using).filter(codename__in=codenames))


def _metric(metric):
    return Metric(
        key=metric.key,
        name=metric.name,
        formula=metric.formula,
        unit=metric.unit,
        clock=metric.clock,
        per=metric.per,
        phase=metric.phase,
        tools=list(metric.tools),
        per_accelerator=metric.per_accelerator,
    )

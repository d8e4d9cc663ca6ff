"""Rows the registry cannot be without: its state, the log's head, and the editors' three roles."""

from django.contrib.auth.models import Group, Permission
from django.utils import timezone

from registry.models import PublicationHead, RegistryState

_WRITES = ["add", "change", "view"]
_AUTHOR = {
    *(f"{verb}_{model}" for verb in _WRITES for model in ["claim", "reproduction", "source", "passage"]),
    *(f"{verb}_{model}" for verb in ["add", "view"] for model in ["verification", "organisation"]),
    *(
        f"{verb}_{model}"
        for verb in ["add", "change", "delete"]
        for model in ["claimcitation", "claimcontext"]
    ),
    *(f"{verb}_reproductioncitation" for verb in ["add", "change", "delete"]),
    *(
        f"view_{model}"
        for model in ["claimcitation", "claimcontext", "reproductioncitation", "subject", "property"]
    ),
    *(
        f"view_{model}"
        for model in ["gpu", "checkpoint", "runtime", "publication", "referencechange", "link"]
    ),
    # Only drafts can be deleted, whoever asks.
    "delete_claim",
    "delete_reproduction",
}
_REVIEWER = _AUTHOR | {"publish_claim", "publish_reproduction"}
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
    for name, codenames in ROLES.items():
        group, _ = Group.objects.using(using).get_or_create(name=name)
        group.permissions.set(Permission.objects.using(using).filter(codename__in=codenames))

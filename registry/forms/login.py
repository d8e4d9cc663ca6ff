"""The login form: it asks for a password only so often."""

import math
from ipaddress import IPv6Address, ip_address, ip_network

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.validators import MaxLengthValidator
from django.views.decorators.debug import sensitive_variables

from registry.actions.login import begin_try, succeed

ONE_SUBSCRIBER = 64  # bits of an IPv6 address: the rest is anybody's own to choose


class LoginForm(AdminAuthenticationForm):
    """Raises a form error without looking at the password once too many were wrong; `wait` is then set, in seconds."""

    wait = 0

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.validators = [*name.validators, MaxLengthValidator(name.max_length)]

    @sensitive_variables()
    def clean(self):
        account, address = self.cleaned_data.get("username"), client_address(self.request)
        if account is None or not self.cleaned_data.get("password"):
            return self.cleaned_data
        self.wait = begin_try(account, address)
        if self.wait:
            minutes = math.ceil(self.wait / 60)
            raise forms.ValidationError(
                f"Too many wrong passwords. Try again in {minutes} minute{'s' if minutes > 1 else ''}; "
                "until then no password is looked at, not even the right one.",
                code="throttled",
            )
        cleaned = super().clean()
        succeed(account, address)
        return cleaned


def client_address(request):
    """Who asks: the peer, or behind our own proxy what that proxy says of its peer. Of IPv6 the subscriber's network.

    Only the last hop of X-Forwarded-For is the proxy's own word; what stands before it is whatever the client sent.
    """
    peer = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_TLS_PROXY:
        last = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        return _known_by(last) or _known_by(peer)
    return _known_by(peer)


def _known_by(text):
    """The address in its one spelling; empty where it is none (a Unix socket has no peer's address)."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ip_network((int(address), ONE_SUBSCRIBER), strict=False))
    return str(address)

"""Measurements to run by hand. Importing this sets Django up, so that the modules here may import models."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup()

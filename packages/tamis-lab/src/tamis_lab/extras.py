"""The name of before."""

from tamis_lab import needs as needs

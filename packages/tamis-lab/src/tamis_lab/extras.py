from tamis_lab import needs as needs  # noqa: D100 until the other rooms import it from there

"""What the pages of a site have in common, as evidence for the extraction of each: `tamis.Site`."""

from tamis.site.site import Site, SiteTamis, page_evidence

__all__ = ["Site", "SiteTamis", "page_evidence"]

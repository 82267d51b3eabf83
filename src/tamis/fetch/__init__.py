"""Fetch one page from the web: the request, the addresses it may go to, the connection and its deadline."""

from tamis.fetch.request import MAX_BYTES, MAX_REDIRECTS, TIMEOUT, RawPage, fetch, is_url

__all__ = ["MAX_BYTES", "MAX_REDIRECTS", "TIMEOUT", "RawPage", "fetch", "is_url"]

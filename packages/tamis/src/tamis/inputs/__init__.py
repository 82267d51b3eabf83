"""The forms of a page: text, bytes, a file, a fetched page, a response, or the tree of a parser."""

from tamis.inputs.content import Content, NotContent, PageInput, check_encoding, check_timeout, content_of
from tamis.inputs.files import MOST_BYTES, PAGE_SUFFIXES, NotAPage, RawPage, check_signature, leads_out, read_file

__all__ = [
    "MOST_BYTES",
    "PAGE_SUFFIXES",
    "Content",
    "NotAPage",
    "NotContent",
    "PageInput",
    "RawPage",
    "check_encoding",
    "check_signature",
    "check_timeout",
    "content_of",
    "leads_out",
    "read_file",
]

"""Title, author, date and so on, as a page declares or shows them: one file a source, and `decide`."""

from tamis.metadata.decide import read_metadata, read_title
from tamis.metadata.metadata import FIELDS, Field, Metadata, details

__all__ = ["FIELDS", "Field", "Metadata", "details", "read_metadata", "read_title"]

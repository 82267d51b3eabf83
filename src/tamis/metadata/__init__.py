"""Title, author, date and so on, as a page declares or shows them: one file a source, and `decide`."""

from tamis.metadata.decide import Metadata, read_metadata, read_title

__all__ = ["Metadata", "read_metadata", "read_title"]

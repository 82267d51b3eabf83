"""The default extractor: runs of text and their columns, the network, roles, what is content, and its weights."""

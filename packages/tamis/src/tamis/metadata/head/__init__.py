"""META and LINK elements: Open Graph, Twitter and all other names."""

"""What a page holds as records: posts, entries of a list, facts, links."""

"""What a page holds as records: facts, posts, items, links."""

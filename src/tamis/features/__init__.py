"""Named feature columns and what they are counted from."""

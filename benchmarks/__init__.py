"""Speed and memory, measured relative to the parser and to peers in the same run."""

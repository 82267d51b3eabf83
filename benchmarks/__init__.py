"""Speed and memory, as ratios against the parser and peers in one run."""

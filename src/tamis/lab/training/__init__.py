"""How the learned extractors came to their weights: one loop, one file a model."""

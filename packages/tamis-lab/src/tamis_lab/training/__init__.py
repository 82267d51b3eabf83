"""Training: one loop for all models, and the default extractor's own training."""

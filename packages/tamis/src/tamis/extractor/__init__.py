"""The default extractor: runs of text and their columns, the network and its weights, the decision for each run."""

"""Published methods, one folder each: extractor, features, training, tables, weights and README.md."""

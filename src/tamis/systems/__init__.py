"""One file a published system; `registry` maps each name to its extractor."""

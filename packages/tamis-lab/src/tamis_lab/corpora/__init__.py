"""One reader a public corpus, and the catalogue of where to get it."""

"""The verbs of the command line that need corpora: bench, corpora, reproduce, train."""

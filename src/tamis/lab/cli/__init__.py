"""The verbs of the command line that need corpora or a browser: bench, corpora, render, reproduce, train."""

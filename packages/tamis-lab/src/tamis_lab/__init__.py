"""What research needs: corpora, alignment, metrics, benchmark, report, gate, training and reproduced tables."""

__version__ = "0.2.0"

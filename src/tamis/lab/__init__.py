"""What research needs: corpora, alignment, metrics, benchmark, report, gate, training and reproduced tables."""

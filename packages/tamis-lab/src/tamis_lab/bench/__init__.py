"""Metrics, peers and the benchmark that puts them side by side."""

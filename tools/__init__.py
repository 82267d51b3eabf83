"""Scripts for people who work on tamis."""

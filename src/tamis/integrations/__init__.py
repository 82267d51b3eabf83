"""Places where people already run their work on many machines, and how tamis plugs in there.

ray.py is an engine of `tamis batch`: same inputs, same files, same rows. datatrove.py and spark.py are
adapters for pipelines that have readers and writers of their own.
"""

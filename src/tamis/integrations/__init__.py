"""tamis on many machines.

ray.py is an engine of `tamis batch`: same inputs, same output. datatrove.py and spark.py are adapters for pipelines
with readers and writers of their own.
"""

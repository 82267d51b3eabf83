"""tamis inside other frameworks, one module each. All but ray.py are imported by the programs of users.

ray.py is an engine of `tamis batch`: same inputs, same output. datatrove.py and spark.py are adapters for pipelines
with their own readers and writers. langchain.py, llama_index.py and haystack.py make documents for retrieval, and share
documents.py. scrapy.py is an item pipeline; pandas.py and polars.py extract columns, and share frames.py.
"""

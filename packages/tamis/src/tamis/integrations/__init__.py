"""tamis inside other frameworks, one module each. All but ray.py are imported by the programs of users.

ray.py is an engine of `tamis batch`: same inputs, same output. datatrove.py and spark.py are adapters for pipelines
with readers and writers of their own. langchain.py, llama_index.py and haystack.py make documents for retrieval;
documents.py is what they share. scrapy.py is an item pipeline; pandas.py and polars.py extract columns.
"""

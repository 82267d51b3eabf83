"""From one page to a crawl: pages in from archives and tables, rows out, nothing lost.

inputs/ turns files into records, rows.py a record into a row, workers.py does that in processes
that may hang or die without harm, outputs/ writes a shard at once or not at all, run.py is the loop.
"""

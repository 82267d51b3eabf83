"""Many pages: records from archives and tables in, output rows out.

inputs/ turns files into records, rows.py a record into an output row, workers.py does that in worker processes,
outputs/ writes a shard at once or not at all, and run.py is the loop over shards.
"""

"""Worker processes that may hang, crash or run out of memory without harm to the program that started them.

pool.py starts, watches, kills and replaces them; process.py is what runs inside; limits.py and heartbeat.py are how
both keep to a deadline. A `process.Task` defines what is done with an item. Nothing here knows what a page is.
"""

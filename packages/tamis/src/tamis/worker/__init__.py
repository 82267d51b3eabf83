"""Worker processes that may hang, crash or run out of memory without harm to the program that started them.

pool.py starts, watches, kills and replaces them; process.py runs inside; limits.py has the limits and the heartbeat.
A `process.Task` defines the work on an item. This folder knows nothing about pages.
"""

"""`tamis serve` and `tamis mcp`: pages over HTTP and the Model Context Protocol.

    app.py         the routes                     models.py      requests, as pydantic models
    front.py       around all routes: request id, host, key, log, metrics
    account.py     the bytes that requests hold, and reading bodies, with limits on size and time
    fetching.py    addresses that clients name, fetched in threads
    jobs.py        inside a worker process: from a job to the bytes of its answer
    answers.py     the fields of answers: the records of tamis/page_data.py, as models
    problems.py    errors as problem+json         openapi.py     the operations, and the description of all this
    run.py         uvicorn, its limits and the log
    mcp.py         the tools for language models  reading.py     the results of these tools
    playground/    the page at /

A worker process (tamis.worker) extracts a page and writes the answer: the event loop only moves bytes.
"""

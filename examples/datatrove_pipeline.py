"""Extract pages from JSON lines to JSON lines with datatrove (pip install 'tamis[datatrove]').

    python examples/datatrove_pipeline.py crawl/ out/ --tasks 8

Each line has the fields `html` and `id`. For WARC files use datatrove's WarcReader as the first step, for Slurm use
SlurmPipelineExecutor.
"""

from __future__ import annotations

import argparse

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from tamis.integrations.datatrove import TamisExtractor


def main() -> None:
    """Run the pipeline; tasks that are done are not repeated."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="folder of .jsonl or .jsonl.gz files")
    parser.add_argument("out", help="folder to write to")
    parser.add_argument("--tasks", type=int, default=1)
    options = parser.parse_args()
    LocalPipelineExecutor(
        pipeline=[
            JsonlReader(options.source, text_key="html"),
            TamisExtractor(favor_precision=True, timeout=10),
            JsonlWriter(f"{options.out}/pages"),
        ],
        tasks=options.tasks,
        logging_dir=f"{options.out}/logs",
    ).run()


if __name__ == "__main__":
    main()

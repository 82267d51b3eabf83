"""Extract the pages of a Parquet file with an html column, with Spark.

On this machine (pip install 'tamis[spark]'), or on a cluster whose Python has tamis:

    python examples/spark_job.py crawl.parquet out.parquet
    spark-submit --master yarn examples/spark_job.py IN OUT
"""

from __future__ import annotations

import sys

from pyspark.sql import SparkSession

from tamis.batch.rows import BatchOptions
from tamis.integrations.spark import extract_pages, schema

OPTIONS = BatchOptions(columns="default,version,-page_type,-page_type_confidence")


def main(source: str, out: str) -> None:
    """Read, extract, write, and print the number of pages for each error."""
    # Pages are large: Spark's default of 10,000 at once would be a gigabyte.
    spark = SparkSession.builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "256").getOrCreate()
    pages = spark.read.parquet(source).mapInPandas(extract_pages(OPTIONS), schema(OPTIONS))
    pages.write.parquet(out)
    spark.read.parquet(out).groupBy("error").count().show()


if __name__ == "__main__":
    main(*sys.argv[1:])

#!/bin/sh
# A crawl on a Ray cluster: examples/ray_job.sh 'crawl/*.warc.gz' /shared/out
#
# Every machine has tamis (pip install 'tamis[ray]') and sees crawl and output under the same paths. On one of them:
#     ray start --head --port 6379
# on each other:
#     ray start --address HEAD:6379
# Then, with RAY_ADDRESS=HEAD:6379, this. Killed at any moment, the same command goes on where it was.
exec tamis batch "$1" --output "$2" --engine ray --json

#!/bin/sh
# Extract a crawl on a Ray cluster: examples/ray_job.sh 'crawl/*.warc.gz' /shared/out
#
# Every machine needs tamis (pip install 'tamis[ray]') and must see crawl and output under the same paths. On one of them:
#     ray start --head --port 6379
# on each of the others:
#     ray start --address HEAD:6379
# Then run this script with RAY_ADDRESS=HEAD:6379. If it is killed, the same command continues the run.
exec tamis batch "$1" --output "$2" --engine ray --json

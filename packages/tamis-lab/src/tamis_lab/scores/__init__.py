"""Weights measured by the whole pipeline on all sets, beside stored figures of releases and peers: `make scores`.

sets        which corpora decide, which only report, and the bars
gold        what a page needs to be scored, which does not depend on the weights; kept in a cache
pages       one page: extracted and scored
structures  lists, tables, quotations, code and figures: whole, torn or lost; headings with nothing below them
comments    the words of readers' comments
figures     the scores of many pages as the figures of a set
run         all pages of all sets, in two processes
tables      the figures beside those of `benchmarks/scores.toml`
"""

"""The verbs of the command line that the laboratory adds."""

# Each with its module and its line in the help, so that a help text imports no verb.
COMMANDS = {
    "corpora": ("tamis_lab.cli.corpora", "list the public corpora, and which of them are here"),
    "bench": ("tamis_lab.cli.bench", "measure extractors and their peers on corpora"),
    "reproduce": ("tamis_lab.cli.reproduce", "run a paper's experiments and compare with its figures"),
    "train": ("tamis_lab.cli.train", "learn an extractor's weights from corpora"),
}

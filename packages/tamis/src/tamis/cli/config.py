"""`tamis config`: every setting, its value and where it comes from."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.outputs import show
from tamis.cli.settings import Setting, add_config, configurable, read, settings_of
from tamis.cli.verbs import verbs as all_verbs

_DESCRIPTION = """\
Show every setting with its value and where that comes from: the default, or a key of the file.

Settings are options by their long names, in tamis.toml or in the table [tool.tamis] of pyproject.toml, the nearest
one from this folder upwards. A key at the top applies to each verb with that option, one in a table such as
[extract] to that verb. TAMIS_CONFIG names another file; if it is empty, none is read.
"""

_EPILOG = """\
examples:
  tamis config                 all settings; the output can be the start of a file of your own
  tamis config extract         those of one verb

exit codes: 0 fine, 2 the file is wrong
"""


def add_parser(verbs: Any) -> None:
    """Add `config` to the command line."""
    parser = add_verb(verbs, "config", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("of", nargs="?", choices=all_verbs(), metavar="VERB", help="only the settings of this verb")
    add_config(parser)


def run(options: argparse.Namespace) -> Exit:
    """Print the settings as TOML, each with its origin as a comment."""
    from tamis.cli.parser import build_parser

    file = read(options.config)
    lines = [f"# {file.path}" if file else "# no file has settings"]
    for verb, parser in build_parser()[1].items():
        settings = settings_of(verb, parser, file) if file else {}
        if options.of in (None, verb) and configurable(parser):
            lines += ["", f"[{verb}]", *_lines(parser, settings)]
    show("\n".join(lines))
    return Exit.FINE


def _lines(parser: argparse.ArgumentParser, settings: Mapping[str, Setting]) -> Iterator[str]:
    """A line for each setting of a verb, by the first of its names."""
    shown = {
        action.dest: (name, action)
        for name, action in reversed(configurable(parser).items())
        if action.help != argparse.SUPPRESS
    }
    for dest, (name, action) in reversed(shown.items()):
        setting = settings.get(dest)
        value = setting.value if setting else action.default
        plain = json.dumps(value, default=str, ensure_ascii=False)
        written = f"# {name} is not set" if value is None else f"{name} = {plain}"
        yield f"{written:<36}# {f'the file: {setting.key}' if setting else 'default'}"

"""`tamis completion`: a script that completes commands, made from the parser.

The scripts hold all words, so a shell starts no Python to complete one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any, NamedTuple

from tamis.cli.arguments import add_verb
from tamis.cli.exits import Exit
from tamis.cli.verbs import verbs as all_verbs

_DESCRIPTION = """\
Print a script that completes verbs, options, formats, extractors, columns and files in a shell.
"""

_EPILOG = """\
examples:
  eval "$(tamis completion bash)"                          in ~/.bashrc
  eval "$(tamis completion zsh)"                           in ~/.zshrc, after compinit
  tamis completion fish > ~/.config/fish/completions/tamis.fish
"""

# The metavars of files and folders.
_FILES = {"SOURCE", "INPUT", "FILE", "DIR", "OUT", "WEIGHTS"}


class _Option(NamedTuple):
    """An option, or a positional argument (without names)."""

    names: list[str]
    help: str
    value: str  # its metavar; empty for a flag
    words: list[str]  # the possible values, if they are few
    repeats: bool

    @property
    def is_file(self) -> bool:
        return self.value in _FILES


def add_parser(verbs: Any) -> None:
    """Add `completion` to the command line."""
    parser = add_verb(verbs, "completion", run, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=", ".join(_SHELLS))


def run(options: argparse.Namespace) -> Exit:
    """Print the script."""
    from tamis.cli.parser import build_parser

    print(_SHELLS[options.shell]({verb: _options(parser) for verb, parser in build_parser()[1].items()}), end="")
    return Exit.FINE


def _options(parser: argparse.ArgumentParser) -> list[_Option]:
    """The options and arguments of a verb."""
    known = _known_words()
    return [
        _Option(
            names=[*action.option_strings],
            help=(action.help or "").replace("%%", "%").replace(argparse.SUPPRESS, "overrules a file of settings"),
            value="" if action.nargs == 0 else str(action.metavar or action.dest.upper()),
            words=known.get(action.dest) or [str(word) for word in action.choices or ()],
            repeats=isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*"),
        )
        for action in parser._actions
    ]


def _known_words() -> dict[str, list[str]]:
    """The possible values of options that have no `choices`, by the names of the options."""
    from tamis.batch.columns import COLUMNS
    from tamis.plugins import RECIPES, TABLES, named
    from tamis.registry import extractors

    return {
        "extractor": [*extractors()],
        "columns": ["list", "default", *COLUMNS],
        "paper": [*named(TABLES)],
        "model": [*named(RECIPES)],
    }


def _bash(verbs: dict[str, list[_Option]]) -> str:
    """The script for bash, which completes files where the script offers nothing, unless that is switched off."""
    values, words = [], []
    for verb, options in verbs.items():
        for option in options:
            if option.names and option.value and not option.is_file:
                known = f'words="{" ".join(option.words)}"' if option.words else "compopt +o default 2> /dev/null"
                values.append(f"        {'|'.join(f'{verb}:{name}' for name in option.names)}) {known} ;;\n")
        names = [name for option in options for name in option.names]
        positional = [word for option in options if not option.names for word in option.words]
        words.append(f'        {verb}) options="{" ".join(names)}" words="{" ".join(positional)}" ;;\n')
    naming_files = [(verb, option) for verb, options in verbs.items() for option in options if option.is_file]
    files = "|".join(f"{verb}:{name}" for verb, option in naming_files for name in option.names)
    return f"""\
_tamis() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} verb= options= words= each
    [[ $word == = ]] && word=
    [[ $before == = ]] && before=${{COMP_WORDS[COMP_CWORD - 2]}}
    COMPREPLY=()
    for each in "${{COMP_WORDS[@]:1:COMP_CWORD - 1}}"; do
        [[ $each != -* ]] && verb=$each && break
    done
    case $verb in
        "") options="-h --help --version" words="{" ".join(all_verbs())}" ;;
{"".join(words)}    esac
    case $verb:$before in
        {files}) words= options= ;;
{"".join(values)}        *) [[ $word == -* ]] && words=$options ;;
    esac
    each=
    [[ $word == *,* ]] && each=${{word%,*}},
    COMPREPLY=($(compgen -P "$each" -W "$words" -- "${{word#"$each"}}"))
}}
complete -o default -F _tamis tamis
"""


def _zsh(verbs: dict[str, list[_Option]]) -> str:
    cases = []
    for verb, options in verbs.items():
        specs = [f"                {_quoted(spec)}" for option in options for spec in _zsh_specs(option)]
        cases.append(f"            {verb}) _arguments \\\n" + " \\\n".join(specs) + " ;;\n")
    listed = " ".join(_quoted(f"{verb}:{help}") for verb, (_, help) in all_verbs().items())
    return f"""\
#compdef tamis
_tamis() {{
    local context state state_descr line
    typeset -A opt_args
    _arguments -C '(- *)'{{-h,--help}}'[show help]' '(- *)--version[show the version]' \\
        '1:verb:->verb' '*::argument:->rest'
    case $state in
        verb) local -a verbs=({listed}); _describe verb verbs ;;
        rest) case $line[1] in
{"".join(cases)}        esac ;;
    esac
}}
if [[ $funcstack[1] == _tamis ]]; then _tamis "$@"; else compdef _tamis tamis; fi
"""


def _zsh_specs(option: _Option) -> Iterable[str]:
    """The specifications of an option for _arguments, one for each of its names."""
    action = "_files" if option.is_file else f"({' '.join(option.words)})"
    value = f":{_zsh_escaped(option.value)}:{action}" if option.value else ""
    if not option.names:
        return [f"*{value}" if option.repeats else f"1{value}"]
    before = "*" if option.repeats else f"({' '.join(option.names)})"
    help = _zsh_escaped(option.help)
    return [f"{before}{name}{'=' if value and name[:2] == '--' else ''}[{help}]{value}" for name in option.names]


def _zsh_escaped(text: str) -> str:
    """A text escaped for a specification of _arguments."""
    return "".join(f"\\{letter}" if letter in "[]:\\" else letter for letter in text)


def _fish(verbs: dict[str, list[_Option]]) -> str:
    lines = ["complete -c tamis -f", "complete -c tamis -n __fish_use_subcommand -s h -l help -d 'show help'"]
    lines.append("complete -c tamis -n __fish_use_subcommand -l version -d 'show the version'")
    for verb, (_, help) in all_verbs().items():
        lines.append(f"complete -c tamis -n __fish_use_subcommand -a {verb} -d {_quoted(help, fish=True)}")
    for verb, options in verbs.items():
        start = f"complete -c tamis -n 'contains -- {verb} (commandline -opc)[2]'"
        for option in options:
            names = "".join(f" -l {name[2:]}" if name[:2] == "--" else f" -s {name[1:]}" for name in option.names)
            words = f" -a {_quoted(' '.join(option.words), fish=True)}" if option.words else ""
            kind = " -F" if option.is_file else " -x" if option.value and names else ""
            help = f" -d {_quoted(option.help, fish=True)}" if names else ""
            lines.append(f"{start}{names}{' -r' * bool(option.is_file and names)}{kind}{words}{help}")
    return "\n".join(lines) + "\n"


def _quoted(text: str, *, fish: bool = False) -> str:
    """A text as one word of a shell."""
    return "'" + (text.replace("\\", "\\\\").replace("'", "\\'") if fish else text.replace("'", "'\\''")) + "'"


_SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}

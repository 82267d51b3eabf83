"""Settings: defaults for options, from a file.

The file is the nearest `tamis.toml`, or `pyproject.toml` with a table [tool.tamis], from the working directory upwards.
`--config` and the variable TAMIS_CONFIG name another one; `--no-config` and an empty variable mean none. A key is the
long name of an option. At the top of the file it applies to each verb with that option, in the table of a verb to that
verb. Values are judged as on the command line, which overrules them.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from tamis.cli.arguments import OldName
from tamis.cli.parser import Parser, build_parser
from tamis.cli.verbs import names as verb_names
from tamis.errors import OptionError, did_you_mean

# A file may come with pages of other people. So it can't decide what tamis writes, deletes or runs, which weights it
# loads, which machines it reaches or which reach it. A peer may be any function of Python; for extractors see
# `_check_extractor`.
_WRITING = {"output", "highlight", "features", "gate", "update_gate", "lower_floors", "fresh"}
_RUNNING = {"peer", "start"}
_REACHING = {"allow_private", "engine", "address", "network", "scripts", "no_fetch", "ignore_robots"}
_REACHED = {"host", "port", "http", "allow_host", "cors", "api_key_file"}  # who reaches a server
_OF_ONE_CALL = {"help", "config", "url", "text", "only", "site", "rules"}
_FIXED = _OF_ONE_CALL | _WRITING | _RUNNING | _REACHING | _REACHED

# Matches in every pyproject.toml with a table [tool.tamis], however that is spelled; others are not parsed.
_MENTION = re.compile(rb"tool[ \t.\"']*tamis|^[ \t\"']*tamis[\"']?[ \t]*[=.]", re.MULTILINE)

_FLAGS = (argparse._StoreTrueAction, argparse._StoreFalseAction)


class SettingsFile(NamedTuple):
    """A file, or one of its tables, and its settings."""

    path: Path
    values: Mapping[str, object]


class Setting(NamedTuple):
    """The value that a file has for an option."""

    key: str  # as in the file: format, or extract.format
    value: object


class _Unfit(Exception):
    """Why an option can't have a value."""


def add_config(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the file."""
    group = parser.add_argument_group("configuration").add_mutually_exclusive_group()
    found = "settings, in place of those of the nearest tamis.toml or pyproject.toml"
    group.add_argument("--config", metavar="FILE", help=found)
    group.add_argument("--no-config", dest="config", action="store_const", const="", help="no settings of a file")


def configurable(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """The options that a file can set, by each of their long names without dashes."""
    return {name: action for name, action in _long_names(parser) if action.dest not in _FIXED}


def parse_with_settings(
    parser: argparse.ArgumentParser, own: argparse.ArgumentParser, verb: str, arguments: Sequence[str]
) -> argparse.Namespace:
    """The options of a verb: those of the command line, then those of the file, then the defaults.

    `own` is the verb's part of `parser`; its defaults change. `configured` of the result names the options that have
    the value of the file. Raises OptionError for a file that is wrong.
    """
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if not configurable(own) or {"-h", "--help"} & {*words}:
        return parser.parse_args(arguments)
    choosing = Parser(prog=own.prog, add_help=False)
    add_config(choosing)
    file = read(choosing.parse_known_args(arguments)[0].config)
    settings = settings_of(verb, own, file) if file else {}
    defaults: dict[str, object] = {}
    for action in own._actions:
        if action.dest in settings:
            defaults.setdefault(action.dest, action.default)
            action.default, action.required = None, False  # None: the command line says nothing
    options = parser.parse_args(arguments)
    overruled = _overruled(own, options)
    configured = {dest for dest in settings if getattr(options, dest) is None and dest not in overruled}
    for dest, setting in settings.items():
        if getattr(options, dest) is None:
            setattr(options, dest, setting.value if dest in configured else defaults[dest])
    options.configured = configured
    return options


def read(chosen: str | None) -> SettingsFile | None:
    """The file that `--config` names, then the one of the variable, then the nearest. Raises OptionError."""
    chosen = os.environ.get("TAMIS_CONFIG") if chosen is None else chosen
    if chosen is not None:
        return _load(Path(chosen), needed=True) if chosen else None
    try:
        here = Path.cwd()
    except FileNotFoundError:  # it was deleted
        return None
    places = [folder / name for folder in (here, *here.parents) for name in ("tamis.toml", "pyproject.toml")]
    # os.path.isfile is False where Path.is_file raises: below a folder that may not be read
    return next((found for path in places if os.path.isfile(path) and (found := _load(path))), None)  # noqa: PTH113


def settings_of(verb: str, parser: argparse.ArgumentParser, file: SettingsFile) -> dict[str, Setting]:
    """The settings of a verb, by the name of the option in the namespace. Raises OptionError."""
    top = {key: value for key, value in file.values.items() if key not in verb_names()}
    known = configurable(parser)
    taken = {key: value for key, value in top.items() if key in known and _takes(parser, known[key], value)}
    if len(taken) < len(top):
        _check_top(top, file)
    general, own = (
        _settings(parser, SettingsFile(file.path, taken), ""),
        _settings(parser, _table(verb, file), f"{verb}."),
    )
    for found in (general, own):
        for group in _exclusive(parser):
            both = [found[dest].key for dest in group if _is_set(found.get(dest))]
            if len(both) > 1:
                raise OptionError(f"{file.path}: {' and '.join(both)} exclude each other")
    for group in _exclusive(parser):
        if any(_is_set(own.get(dest)) for dest in group):
            general = {dest: setting for dest, setting in general.items() if dest not in group}
    return general | own


def _settings(parser: argparse.ArgumentParser, file: SettingsFile, start: str) -> dict[str, Setting]:
    """The settings in one table; `start` is put before its keys in messages. Raises OptionError."""
    known = configurable(parser)
    found: dict[str, Setting] = {}
    for key, value in file.values.items():
        if key not in known:
            _refuse_name(f"{start}{key}", file, [parser])
        dest = known[key].dest
        if dest in found:
            raise OptionError(f"{file.path}: {start}{key}: {found[dest].key} sets the same")
        try:
            found[dest] = Setting(f"{start}{key}", _value(parser, known[key], value))
        except _Unfit as error:
            raise OptionError(f"{file.path}: {start}{key}: {error}") from None
        if isinstance(old := known[key], OldName):
            old.warn(f"{file.path}: {start}{key}")
    return found


def _check_top(top: Mapping[str, object], file: SettingsFile) -> None:
    """Raise OptionError for a key at the top that no verb has, or a value that no verb takes."""
    parsers = build_parser()[1].values()
    for key, value in top.items():
        having = [parser for parser in parsers if key in configurable(parser)]
        if not having:
            _refuse_name(key, file, parsers)
        if not any(_takes(parser, configurable(parser)[key], value) for parser in having):
            _settings(having[0], SettingsFile(file.path, {key: value}), "")


def _load(path: Path, *, needed: bool = False) -> SettingsFile | None:
    """A file; None for a pyproject.toml without the table, unless it is needed. Raises OptionError."""
    is_project = path.name == "pyproject.toml"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror or error}") from None
    if is_project and not needed and not _MENTION.search(data):
        return None
    from tomllib import loads  # here, since most folders have nothing to parse

    try:
        values: object = loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # not TOML or UTF-8, a number of thousands of digits, deep nesting
        if is_project and not needed and b"tool.tamis" not in data:
            return None
        raise OptionError(f"{path}: this is not TOML: {error}") from None
    for name in ("tool", "tamis") if is_project else ():
        values = values.get(name) if isinstance(values, dict) else None
    if isinstance(values, dict):
        return SettingsFile(path, values)
    if needed or values is not None:
        raise OptionError(f"{path}: the table [tool.tamis] is missing")
    return None


def _table(verb: str, file: SettingsFile) -> SettingsFile:
    """The table of a verb. Raises OptionError."""
    table = file.values.get(verb, {})
    if not isinstance(table, dict):
        raise OptionError(f"{file.path}: {verb}: write a table, [{verb}]")
    return SettingsFile(file.path, table)


def _refuse_name(key: str, file: SettingsFile, parsers: Iterable[argparse.ArgumentParser]) -> NoReturn:
    start, _, name = key.rpartition(".")
    if any(name == other for parser in parsers for other, _ in _long_names(parser)):
        raise OptionError(f"{file.path}: {key}: this can only be given on the command line")
    names = [other for parser in parsers for other in configurable(parser)] + ([] if start else [*verb_names()])
    hint = did_you_mean(name, names) or "tamis config lists all"
    raise OptionError(f"{file.path}: {key}: unknown setting; {hint}")


def _long_names(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.Action]]:
    return [(name[2:], action) for action in parser._actions for name in action.option_strings if name[:2] == "--"]


def _takes(parser: argparse.ArgumentParser, action: argparse.Action, value: object) -> bool:
    try:
        _value(parser, action, value)
    except _Unfit:
        return False
    return True


def _value(parser: argparse.ArgumentParser, action: argparse.Action, value: object) -> object:
    """The value of an option, judged by its type and choices as on the command line. Raises _Unfit."""
    if isinstance(action, _FLAGS):
        if not isinstance(value, bool):
            raise _Unfit("true or false is needed")
        return action.const if value else not action.const
    is_list = isinstance(action, argparse._AppendAction)
    given = value if is_list and isinstance(value, list) else [value]
    if not all(isinstance(each, str | int | float) and not isinstance(each, bool) for each in given):
        several = (
            " or a list of them" if is_list else ", with commas between names," if action.dest == "columns" else ""
        )
        raise _Unfit(f"a text or number{several} is needed")
    try:
        found = [parser._get_value(action, str(each)) for each in given]
        for each in found:
            parser._check_value(action, each)
            if action.dest == "extractor":
                _check_extractor(each)
    except argparse.ArgumentError as error:
        raise _Unfit(error.message) from None
    except OptionError as error:
        raise _Unfit(str(error)) from None
    except ValueError:  # `str` refuses numbers of thousands of digits
        raise _Unfit("this number is too large") from None
    return found if is_list else found[0]


def _check_extractor(word: str) -> None:
    """Raise OptionError or _Unfit for one that is not shipped, or that starts a browser."""
    from tamis.registry import choice, entry_of

    if choice(word).folder:
        raise _Unfit("weights of your own can only be named on the command line")
    if entry_of(word).draws:
        raise _Unfit("an extractor that starts a browser can only be named on the command line")


def _is_set(setting: Setting | None) -> bool:
    return setting is not None and setting.value is not False


def _overruled(parser: argparse.ArgumentParser, options: argparse.Namespace) -> set[str]:
    """The options that another one on the command line excludes."""
    return {
        dest
        for group in _exclusive(parser)
        for dest in group
        for other in group
        if other != dest and getattr(options, other) not in (None, False, parser.get_default(other))
    }


def _exclusive(parser: argparse.ArgumentParser) -> list[list[str]]:
    """The groups of options of which only one can be given."""
    return [[action.dest for action in group._group_actions] for group in parser._mutually_exclusive_groups]

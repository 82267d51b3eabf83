"""The compiled kernel, which decides the cost of a page: the library, and the tables that it takes and gives.

Its source is the folder `kernel` of the project; `tamis.h` there says what each field means. Structures here have the
same fields in the same order.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Iterator
from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_float,
    c_int32,
    c_ssize_t,
    c_uint32,
    c_void_p,
    py_object,
)
from ctypes import byref as byref
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray

from tamis.errors import TamisError

LIBRARY = Path(__file__).with_name("kernel.so")
LONGEST_NAME = 64  # of a tensor
MISSING_TENSOR = -3  # a code of tamis_prepare


class Text(Structure):
    """A stretch of UTF-8."""

    _fields_ = (("bytes", c_char_p), ("size", c_ssize_t))

    @classmethod
    def of(cls, text: str) -> Text:
        """The text as UTF-8."""
        return cls.of_bytes(_utf8(text))

    @classmethod
    def of_bytes(cls, data: bytes) -> Text:
        """The bytes, without a copy."""
        return cls(data, len(data))


def joined(texts: Iterable[str]) -> bytes:
    """The texts in one, each followed by a NUL."""
    every = list(texts)
    data = _utf8("\0".join([*every, ""]))
    if data.count(0) != len(every):  # a tree of another library can contain NULs
        return _utf8("\0".join([*(text.replace("\0", "?") for text in every), ""]))
    return data


def _utf8(text: str) -> bytes:
    """UTF-8, with U+FFFD for lone surrogates, which JSON can have."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


class PageTables(Structure):
    """The tables of a page."""

    _fields_ = (
        ("elements", c_ssize_t), ("leaves", c_ssize_t), ("code", c_void_p), ("parent", c_void_p), ("end", c_void_p),
        ("element", c_void_p), ("opened", c_void_p), ("is_media", c_void_p), ("visible", c_void_p),
        ("folded", c_void_p), ("texts", Text),
    )  # fmt: skip


class DeclaredTables(Structure):
    """What a page declares about itself, and its names."""

    _fields_ = (
        ("title", Text), ("og_title", Text), ("body", Text), ("description", Text), ("meta", Text), ("review", Text),
        ("parts", Text), ("names", Text), ("openings", Text), ("page", c_void_p), ("sections", Text),
        ("marked", c_ssize_t), ("marked_rows", c_void_p), ("marks", Text), ("references", c_ssize_t),
        ("reference_rows", c_void_p), ("note_rows", c_void_p),
    )  # fmt: skip


class FragmentTables(Structure):
    """The links of a page to places on it."""

    _fields_ = (
        ("links", c_ssize_t), ("link", c_void_p), ("later", c_void_p), ("earlier", c_void_p), ("names", c_void_p),
    )  # fmt: skip


class RunTables(Structure):
    """The runs of a page."""

    _fields_ = (
        ("texts", c_ssize_t), ("runs", c_ssize_t), ("nodes", c_ssize_t), ("sections", c_ssize_t),
        ("columns", c_ssize_t), ("text", c_void_p), ("first", c_void_p), ("element", c_void_p), ("section", c_void_p),
        ("words", c_void_p), ("copy_of", c_void_p), ("state", c_void_p),
    )  # fmt: skip


class Model(Structure):
    """The weights, prepared for inference."""

    _fields_ = (
        *((name, c_ssize_t) for name in ("columns", "tags", "codes", "width", "outputs", "types", "layers")),
        ("threshold", c_float),
        *(
            (name, c_void_p)
            for name in (
                "first", "first_bias", "by_tag", "second", "second_bias", "film", "film_bias", "kernel", "kernel_bias",
                "out", "out_bias", "top", "top_bias", "type", "type_bias",
            )
        ),
    )  # fmt: skip


class Tensor(Structure):
    """A tensor as training wrote it."""

    _fields_ = (("name", c_char_p), ("data", c_void_p), ("dimensions", c_ssize_t), ("shape", c_ssize_t * 3))


class LabelTables(Structure):
    """The labels of a page."""

    _fields_ = (
        ("scores", c_void_p), ("keep", c_void_p), ("roles", c_void_p), ("types", c_void_p), ("threshold", c_double),
        ("has_roles", c_int32), ("keeps_text", c_int32),
    )  # fmt: skip


_PAGE = POINTER(PageTables)
_DECLARED = POINTER(DeclaredTables)
_RUNS = POINTER(RunTables)
_MODEL = POINTER(Model)
_LABELS = POINTER(LabelTables)
_FUNCTIONS: dict[str, tuple[object, ...]] = {  # the result of each, and its arguments
    "tamis_check": (c_int32, _PAGE),
    "tamis_check_declared": (c_int32, _PAGE, _RUNS, _DECLARED),
    "tamis_workspace": (c_ssize_t, _PAGE, _DECLARED, c_ssize_t),
    "tamis_begin": (c_int32, _PAGE, c_uint32, c_void_p, c_ssize_t, _RUNS),
    "tamis_columns": (c_int32, _PAGE, _DECLARED, _RUNS),
    "tamis_values": (None, _PAGE, _DECLARED, _RUNS, c_void_p, c_void_p),
    "tamis_label": (c_int32, _PAGE, _DECLARED, _MODEL, _RUNS, _LABELS),
    "tamis_decide": (c_int32, _PAGE, _DECLARED, _RUNS, c_float, c_void_p, c_void_p, _LABELS),
    "tamis_label_all": (c_int32, _PAGE, _DECLARED, _RUNS, _LABELS),
    "tamis_gate_size": (c_ssize_t,),
    "tamis_gate": (c_float, _PAGE, _DECLARED, c_void_p),
    "tamis_gate_columns": (None, _PAGE, _DECLARED, c_void_p),
    "tamis_network_memory": (c_ssize_t, _MODEL, c_ssize_t),
    "tamis_network": (None, _MODEL, c_void_p, c_void_p, c_ssize_t, c_void_p, c_void_p, c_void_p),
    "tamis_prepare": (c_ssize_t, POINTER(Tensor), c_ssize_t, c_void_p, _MODEL, POINTER(c_char)),
    "tamis_column_names": (c_void_p,),
    "tamis_notes_memory": (c_ssize_t, _PAGE),
    "tamis_notes": (c_int32, _PAGE, POINTER(FragmentTables), c_void_p, c_void_p),
    "tamis_surrounded_media": (None, _PAGE, c_void_p, c_void_p),
    "tamis_layout_memory": (c_ssize_t, _PAGE),
    "tamis_layout": (None, _PAGE, c_void_p, c_void_p, c_ssize_t, c_void_p, c_void_p, c_void_p),
    "tamis_pieces": (
        c_ssize_t, _PAGE, c_void_p, c_ssize_t, c_void_p, c_void_p, c_void_p, c_void_p, Text, Text, c_void_p, c_ssize_t,
    ),
    "tamis_sizes": (POINTER(c_int32),),
    "tamis_guard": (c_int32, c_char_p, c_ssize_t),
}  # fmt: skip


def library_path() -> str:
    """The shared library. TAMIS_KERNEL names another one: `make sanitized` tests one compiled with sanitizers."""
    return os.environ.get("TAMIS_KERNEL", str(LIBRARY))


_STRUCTURES = (PageTables, DeclaredTables, RunTables, Model, Tensor, LabelTables, FragmentTables)
_MENDED = "install tamis again; in a checkout: make packages/tamis/src/tamis/kernel/kernel.so"


@cache
def library() -> ctypes.CDLL:
    """The shared library, loaded on first use. Its functions run without the interpreter's lock.

    Raises TamisError if it is missing, or was compiled from other sources.
    """
    try:
        _check_whole(Path(library_path()))
        found = ctypes.CDLL(library_path())
        for name, (returned, *taken) in _FUNCTIONS.items():
            function = getattr(found, name)
            function.restype, function.argtypes = returned, taken
        sizes = found.tamis_sizes()[: len(_STRUCTURES)]
    except (OSError, AttributeError) as error:
        raise TamisError(f"the kernel of tamis can't be loaded: {error}; {_MENDED}") from error
    if sizes != list(map(ctypes.sizeof, _STRUCTURES)):
        raise TamisError(f"the kernel of tamis was compiled from other sources; {_MENDED}")
    return found


def _check_whole(path: Path) -> None:
    """Raise OSError for a truncated library on Linux: the system would kill the process at its first use."""
    with path.open("rb") as file:
        head = file.read(64)
        if head[:6] != b"\x7fELF\x02\x01":  # of 64 bits and little-endian
            return
        (first,), (length, count) = struct.unpack_from("<Q", head, 32), struct.unpack_from("<HH", head, 54)
        file.seek(first)
        table = file.read(length * count)
    # Each segment has its place in the file at byte 8, and its length there at byte 32.
    ends = [sum(struct.unpack_from("<Q16xQ", table, place + 8)) for place in range(0, len(table) - 39, length)]
    if len(table) < length * count or max(ends, default=0) > path.stat().st_size:
        raise OSError(f"{path} is truncated")


@cache
def column_names() -> tuple[str, ...]:
    """The names of the columns of a run."""
    at: int = library().tamis_column_names()
    names: list[str] = []
    while name := ctypes.string_at(at):
        names.append(name.decode())
        at += len(name) + 1
    return tuple(names)


def address(array: NDArray[Any]) -> int:
    """The address of the items of an array, which must be contiguous."""
    place: int = array.__array_interface__["data"][0]
    return place


# ---- the walk over the nodes of a tree, which are Python objects ----
#
# The kernel is not linked against Python. It receives the functions that it needs, all of the stable ABI, and is called
# with the interpreter's lock held.

# Kinds of notable elements.
FORMULA = 1  # a script that holds a formula
SHADOW_ROOT = 2  # a template whose content is shown

# In the order of the structure in walk.c.
_PYTHON_FUNCTIONS = (
    "PyIter_Next", "PyObject_Type", "PyObject_GetAttr", "PyObject_Size", "PyDict_GetItemWithError", "PyDict_SetItem",
    "PyLong_AsLong", "PyUnicode_AsUTF8AndSize", "PyUnicode_Append", "PyList_Append", "PyList_GetItem",
    "PyBytes_FromStringAndSize", "PyErr_Occurred", "PyErr_NoMemory", "Py_IncRef", "Py_DecRef",
)  # fmt: skip


class _Python(Structure):
    _fields_ = tuple((name, c_void_p) for name in _PYTHON_FUNCTIONS)


class _Tree(Structure):
    _fields_ = (
        ("nodes", py_object), ("element_type", py_object), ("text_type", py_object), ("cdata_type", py_object),
        ("fragment_type", py_object), ("tag", py_object), ("data", py_object), ("codes", py_object),
        ("other", py_object), ("empty", py_object), ("notable", py_object), ("notable_kind", c_char_p),
        ("notables", c_ssize_t), ("elements", py_object), ("texts", py_object), ("gaps", py_object),
        ("text_nodes", c_void_p), ("columns", py_object),
    )  # fmt: skip


class WalkColumns(NamedTuple):
    """The columns that the walk makes, each as the bytes of an array."""

    code: bytes
    parent: bytes
    end: bytes
    notable: bytes  # the row of each notable element
    element: bytes
    opened: bytes
    block: bytes
    is_media: bytes
    in_link: bytes
    shown: bytes
    texts: bytes


def walked(
    *,
    nodes: Iterator[object],
    element_type: type,
    text_type: type,
    cdata_type: type,
    fragment_type: type,
    codes: dict[str, int],
    other: int,
    notable: list[Any],
    notable_kind: bytes,
    elements: list[Any],
    texts: list[str],
    gaps: list[str],
    text_nodes: list[Any] | None,
) -> WalkColumns:
    """Walk over `nodes`, fill the lists `elements`, `texts`, `gaps` and `text_nodes`, and return the columns.

    `codes` are the codes of tags; missing tags are added with the code `other`. `notable` are elements in document
    order, and `notable_kind` their kinds.
    """
    columns: list[bytes] = []
    tree = _Tree(
        nodes, element_type, text_type, cdata_type, fragment_type, "tag", "data", codes, other, "", notable,
        notable_kind, len(notable), elements, texts, gaps, None if text_nodes is None else id(text_nodes), columns,
    )  # fmt: skip
    walk, python = _walk()
    walk(ctypes.byref(python), ctypes.byref(tree))  # raises the errors of the functions that it calls
    return WalkColumns(*columns)


@cache
def _walk() -> tuple[Any, _Python]:
    """The function, which holds the lock, and the functions of Python for it."""
    walk = ctypes.PyDLL(library_path()).tamis_walk
    walk.argtypes = (ctypes.POINTER(_Python), ctypes.POINTER(_Tree))
    places = (ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p) for name in _PYTHON_FUNCTIONS)
    return walk, _Python(*places)

"""Calls the kernel's walk over the nodes of a tree, which are Python objects.

The kernel is not linked against Python. It receives the functions that it needs, all of the stable ABI, and is called
with the interpreter's lock held.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import Structure, c_char_p, c_ssize_t, c_void_p, py_object
from functools import cache
from typing import Any, NamedTuple

from tamis.kernel import library_path

# Kinds of notable elements.
FORMULA = 1  # a script that holds a formula
SHADOW_ROOT = 2  # a template whose content is shown

# In the order of the structure in walk.c.
_FUNCTIONS = (
    "PyIter_Next", "PyObject_Type", "PyObject_GetAttr", "PyObject_Size", "PyDict_GetItemWithError", "PyDict_SetItem",
    "PyLong_AsLong", "PyUnicode_AsUTF8AndSize", "PyUnicode_Append", "PyList_Append", "PyList_GetItem",
    "PyBytes_FromStringAndSize", "PyErr_Occurred", "PyErr_NoMemory", "Py_IncRef", "Py_DecRef",
)  # fmt: skip


class _Python(Structure):
    _fields_ = tuple((name, c_void_p) for name in _FUNCTIONS)


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
    places = (ctypes.cast(getattr(ctypes.pythonapi, name), c_void_p) for name in _FUNCTIONS)
    return walk, _Python(*places)

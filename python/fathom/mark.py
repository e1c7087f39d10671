"""Regions and counters of an application in its trace, as <fathom/mark.h> has them for C.

    from fathom.mark import region, counter

    with region("solve"):
        ...
        counter("residual", 17)

    @region            # or @region("another name")
    def write(): ...

Without `fathom record` around the program all of this does nothing. Regions belong to the thread; in coroutines they end in the order in which they were
begun, so keep `await` out of them."""

import functools
import os

__all__ = ["region", "counter"]


def _find():
    """The recorder's functions; None: there is no recorder."""
    if "FATHOM_SPILL" not in os.environ:
        return None
    try:
        import ctypes

        recorder = ctypes.CDLL(None)
        begin, end, value = recorder.fth_mark_1_begin, recorder.fth_mark_1_end, recorder.fth_mark_1_counter
    except (ImportError, OSError, AttributeError):
        return None
    begin.argtypes = end.argtypes = [ctypes.c_char_p]
    value.argtypes = [ctypes.c_char_p, ctypes.c_int64]
    begin.restype = end.restype = value.restype = None
    return begin, end, value


_there = _find()


def _bytes(name):
    return str(name).encode("utf-8", "replace").replace(b"\0", b" ")


class _Region:
    """A region to be entered, or to be put around a function."""

    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = _bytes(name)

    def __enter__(self):
        _there[0](self._name)
        return self

    def __exit__(self, *exception):
        _there[1](self._name)
        return False

    def __call__(self, function):
        begin, end = _there[:2]
        name = self._name

        @functools.wraps(function)
        def inside(*arguments, **keywords):
            begin(name)
            try:
                return function(*arguments, **keywords)
            finally:
                end(name)

        return inside


class _Nothing:
    """What a region is where nothing is recorded."""

    __slots__ = ()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def __call__(self, function):
        return function


_nothing = _Nothing()


def region(name):
    """A region of this name for `with` and as a decorator; a function as `name` is decorated with its own."""
    if _there is None:
        return name if callable(name) else _nothing
    if callable(name):
        return _Region(getattr(name, "__qualname__", name))(name)
    return _Region(name)


def counter(name, value):
    """Notes the value, an integer of 64 bits; what is none is rounded down, what is larger becomes the largest."""
    if _there is not None:
        _there[2](_bytes(name), max(-(2**63), min(2**63 - 1, int(value))))

"""Traces for Python: tables of a run as Arrow, pandas or Polars.

    import fathom

    run = fathom.open("app.fathom")
    run.calls(layers=["posix"], where="bytes >= 1M").to_pandas()
    run.accesses(files=["*.h5"]).to_polars()
    run.stats()["functions"]

A table is read when it is used, and selected while it is read; `batches()` reads it piece by piece, so that memory is bounded. Times are nanoseconds since the
start of the run. Tables have the columns of `fathom export --to parquet` (fathom-export(1)). Traces may be read by several threads; rows are read without the
interpreter's lock."""

import glob
import importlib.machinery
import importlib.util
import json
import os
import shutil
import subprocess

__all__ = ["Table", "Trace", "open"]

_folder = os.path.dirname(os.path.abspath(__file__))


def _load_reader():
    """The extension module: beside this file, or in the folder of libraries of the installation, whose name depends on the system (lib, lib64,
    lib/x86_64-linux-gnu)."""
    prefix = os.path.normpath(os.path.join(_folder, "..", "..", "..", ".."))
    places = [_folder, *glob.glob(f"{prefix}/lib*/fathom/python"), *glob.glob(f"{prefix}/lib/*/fathom/python")]
    for place in places:
        path = os.path.join(place, "_reader.abi3.so")
        if os.path.exists(path):
            loader = importlib.machinery.ExtensionFileLoader("fathom._reader", path)
            module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fathom._reader", loader))
            loader.exec_module(module)
            return module
    raise ImportError("this installation of Fathom has no reader for Python: it was built without Python.h")


_reader = _load_reader()


class Table:
    """A table of a run, with the filters that it was asked for. Any library that knows the Arrow PyCapsule interface takes it as it is:
    `pyarrow.table(table)`, `polars.DataFrame(table)`, `duckdb.sql("select * from table")`."""

    def __init__(self, trace, name, filters):
        self._trace, self._name, self._filters = trace, name, filters
        self._stream()  # what is wrong with the filters is said now

    def _stream(self):
        return self._trace.stream(self._name, **self._filters)

    def __arrow_c_stream__(self, requested_schema=None):
        """A capsule with a new stream of the rows."""
        return self._stream()

    def to_arrow(self):
        """A pyarrow.Table."""
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self).read_all()

    def batches(self):
        """Iterates over pyarrow.RecordBatch objects of at most 65,536 rows."""
        import pyarrow

        yield from pyarrow.RecordBatchReader.from_stream(self)

    def to_pandas(self):
        """A pandas.DataFrame; texts are categories."""
        return self.to_arrow().unify_dictionaries().to_pandas()

    def to_polars(self):
        """A polars.DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow().unify_dictionaries())

    def __repr__(self):
        filters = "".join(f", {name}={value!r}" for name, value in self._filters.items())
        return f"<fathom table {self._name}{filters}>"


class Trace:
    """An open trace. Filters of tables: `procs` and `ranks` (numbers), `layers`, `functions` and `files` (patterns as for `fathom dump`), `where` (an
    expression), `start` and `end` (ns), `min_bytes`, `min_duration` (ns), `launchers` (bool)."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._trace = _reader.Trace(self.path)
        meta, self.start_realtime, self.end, self.call_count = self._trace.meta()
        self.meta = json.loads(meta)

    def calls(self, **filters):
        """The calls: a row for each."""
        return Table(self._trace, "calls", filters)

    def accesses(self, **filters):
        """The ranges of bytes that calls read or write: a row for each."""
        return Table(self._trace, "accesses", filters)

    def processes(self, **filters):
        """The processes: a row for each."""
        return Table(self._trace, "processes", filters)

    def messages(self):
        """The messages between ranks: a row for each."""
        return Table(self._trace, "messages", {})

    def stats(self, *options):
        """What `fathom stats --json` prints, as a dict."""
        return self._run("stats", options)

    def report(self, *options):
        """What `fathom report --json` prints, as a dict."""
        return self._run("report", options)

    def path_of_run(self, *options):
        """What `fathom path --json` prints, as a dict: waits, and the critical path."""
        return self._run("path", options)

    def verify(self, *options):
        """What `fathom verify --json` prints, as a dict."""
        return self._run("verify", options)

    def info(self, *options):
        """What `fathom info --json` prints, as a dict."""
        return self._run("info", options)

    def _run(self, command, options):
        program = [_program(), command, "--json", *options, self.path]
        done = subprocess.run(program, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if not done.stdout:
            raise ValueError(done.stderr.strip() or f"{' '.join(program)}: exit status {done.returncode}")
        return json.loads(done.stdout)

    def __repr__(self):
        return f"<fathom trace {self.path}: {self.call_count} calls in {self.end / 1e9:.3g} s>"


def _program():
    """The program `fathom`: that of the installation which this package belongs to, or the one of PATH."""
    beside = os.path.normpath(os.path.join(_folder, "..", "..", "..", "..", "bin", "fathom"))
    program = beside if os.access(beside, os.X_OK) else shutil.which("fathom")
    if not program:
        raise FileNotFoundError("the program fathom is not in PATH")
    return program


def open(path):
    """Opens a trace. ValueError: it cannot be read, or is damaged."""
    return Trace(path)

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

from . import command
from .findings import Finding
from .summary import summary_of_table, summary_of_trace

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
    `pyarrow.table(table)`, `polars.DataFrame(table)`, `duckdb.sql("select * from calls")` of a variable `calls`."""

    def __init__(self, trace, name, filters):
        self.trace, self.name, self.filters = trace, name, filters
        self._stream()  # what is wrong with the filters is said now

    def _stream(self):
        return self.trace.reader.stream(self.name, **self.filters)

    def __arrow_c_stream__(self, requested_schema=None):
        """A capsule with a new stream of the rows."""
        return self._stream()

    def _batch_reader(self):
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(self)

    def to_arrow(self):
        """A pyarrow.Table."""
        return self._batch_reader().read_all()

    def batches(self):
        """Iterates over pyarrow.RecordBatch objects of at most 65,536 rows."""
        yield from self._batch_reader()

    def to_pandas(self):
        """A pandas.DataFrame; texts are categories."""
        # the columns of Arrow go as they are taken over: memory for both at once takes as long as the rest
        return self.to_arrow().unify_dictionaries().to_pandas(self_destruct=True)

    def to_polars(self):
        """A polars.DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow().unify_dictionaries())

    def dask(self):
        """A dask.dataframe.DataFrame, whose partitions are read by the workers that compute them: one for each process, where the rows of the table belong
        to processes. Workers open the trace by its path. Texts are strings."""
        import dask.dataframe

        filters = [self.filters]
        if self.name in _TABLES_BY_PROCESS:
            which = {name: self.filters[name] for name in ("procs", "ranks", "launchers") if name in self.filters}
            procs = Table(self.trace, "processes", which).to_arrow().column("proc").to_pylist()
            filters = [{**self.filters, "procs": [proc]} for proc in procs] or filters
        return dask.dataframe.from_map(_read_partition, filters, opened=self.trace.opened_by_others(), name=self.name, meta=_plain(self._batch_reader().schema.empty_table()))

    def __repr__(self):
        filters = "".join(f", {name}={value!r}" for name, value in self.filters.items())
        return f"<fathom table {self.name}{filters}>"

    def _repr_html_(self):
        return summary_of_table(self)


_TABLES_BY_PROCESS = ("calls", "accesses", "handles")


def _plain(table):
    """A pandas.DataFrame of a pyarrow.Table, texts as strings."""
    import pyarrow

    fields = [field.with_type(field.type.value_type) if pyarrow.types.is_dictionary(field.type) else field for field in table.schema]
    return table.cast(pyarrow.schema(fields)).to_pandas()


def _read_partition(filters, opened, name):
    return _plain(Table(open(**opened), name, filters).to_arrow())


class Trace:
    """An open trace. Filters of tables: `procs` and `ranks` (numbers), `layers`, `functions` and `files` (patterns as for `fathom dump`), `where` (an
    expression), `start` and `end` (ns), `min_bytes`, `min_duration` (ns), `launchers` (bool)."""

    def __init__(self, path, anonymous=False, key=None):
        self.filename, self.anonymous = os.fspath(path), anonymous or key is not None
        self._key = None if key is None else os.path.abspath(key)
        self.reader = _reader.Trace(self.filename, anonymous=self.anonymous, **({"key": self._key} if self._key else {}))
        meta, self.start_realtime, self.end, self.call_count = self.reader.meta()
        self.meta = None if self.anonymous else json.loads(meta)

    def calls(self, arguments=False, **filters):
        """The calls: a row for each. `arguments`: with columns for their parameters."""
        return Table(self, "calls", {**filters, "arguments": True} if arguments else filters)

    def accesses(self, **filters):
        """The ranges of bytes that calls read or write: a row for each."""
        return Table(self, "accesses", filters)

    def processes(self, **filters):
        """The processes: a row for each."""
        return Table(self, "processes", filters)

    def messages(self):
        """The messages between ranks: a row for each."""
        return Table(self, "messages", {})

    def files(self, **filters):
        """The files: a row for each, as in `fathom stats --by file`."""
        return Table(self, "files", filters)

    def handles(self, **filters):
        """The handles of processes (descriptors, MPI files, HDF5 objects ...): a row for each, behind that of its parent."""
        return Table(self, "handles", filters)

    def samples(self, **filters):
        """The counters that `fathom record --sample` noted for nodes and processes: a row for each value."""
        return Table(self, "samples", filters)

    def call(self, name):
        """One call with its parameters, as a dict. `name`: PROC.THREAD.CALL, as the evidence of findings has it. ValueError: there is none."""
        self._check_names()
        # Calls around and inside it are printed, too.
        return next(call for call in command.lines_of("dump", "--call", name, self.filename) if call["id"] == name)

    def findings(self, *options):
        """What `fathom report` finds, the most important first: a list of Finding."""
        return [Finding(self, facts) for facts in self.report(*options)["findings"]]

    def stats(self, *options):
        """What `fathom stats --json` prints, as a dict."""
        return self._run("stats", options)

    def report(self, *options):
        """What `fathom report --json` prints, as a dict."""
        return self._run("report", options)

    def path(self, *options):
        """What `fathom path --json` prints, as a dict: waits, and the critical path."""
        return self._run("path", options)

    def verify(self, *options):
        """What `fathom verify --json` prints, as a dict."""
        return self._run("verify", options)

    def info(self, *options):
        """What `fathom info --json` prints, as a dict."""
        return self._run("info", options)

    def opened_by_others(self):
        """What another process gives to `open` for the same rows."""
        if self.anonymous and not self._key:
            raise ValueError("several processes have the same pseudonyms only with a key")
        return {"path": os.path.abspath(self.filename), "anonymous": self.anonymous, "key": self._key}

    def _check_names(self):
        if self.anonymous:
            raise ValueError("the trace was opened as anonymous: only its tables are")

    def _run(self, name, options):
        self._check_names()
        return command.json_of(name, *options, self.filename)

    @property
    def plot(self):
        """Pictures, with matplotlib: `plot.timeline()`, `plot.file_map(path)`, `plot.rates()`."""
        from .plots import Plots

        return Plots(self)

    def __repr__(self):
        return f"<fathom trace {self.filename}: {self.call_count} calls in {self.end / 1e9:.3g} s>"

    def _repr_html_(self):
        return summary_of_trace(self)


def open(path, anonymous=False, key=None):
    """Opens a trace. ValueError: it cannot be read, or is damaged. `anonymous`: its tables have pseudonyms instead of names, as those of
    `fathom export --anonymous`; `key`: the file with the key, the same for the same pseudonyms."""
    return Trace(path, anonymous, key)

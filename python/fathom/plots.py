"""Pictures of a run with matplotlib. Each function draws into `axes` (made if not given) and returns them; rows are read in batches, so memory does not grow
with the number of calls. Filters are those of tables."""

BINS = 1000  # of time, and of offsets in a map with many accesses
SINGLE = 20000  # accesses that are drawn one by one

# Distinct also without colour: ordered by lightness. In the order of layers from the program down.
COLOURS = {
    "application": "#a6a6a6",
    "netcdf": "#e69f00",
    "pnetcdf": "#cc79a7",
    "hdf5": "#009e73",
    "mpi": "#d55e00",
    "mpiio": "#56b4e9",
    "stdio": "#8c6bb1",
    "posix": "#0072b2",
    "process": "#882255",
    "ipc": "#ddcc77",
    "pthread": "#999933",
    "uring": "#332288",
}
OTHER = "#444444"


class Plots:
    """The pictures of one trace."""

    def __init__(self, trace):
        self._trace = trace

    def timeline(self, axes=None, **filters):
        """A row for each process: the share of time that it spent in calls of each layer, over time. Calls inside other calls are not drawn."""
        import numpy

        edges = self._edges(filters)
        rows = {}  # process -> layer -> busy time in each bin
        for calls in self._columns(self._trace.calls(**filters), "proc", "depth", "layer", "start", "end"):
            outer = calls["depth"] == 0
            for proc in numpy.unique(calls["proc"][outer]):
                for layer in numpy.unique(calls["layer"][outer & (calls["proc"] == proc)]):
                    chosen = outer & (calls["proc"] == proc) & (calls["layer"] == layer)
                    busy = rows.setdefault(int(proc), {}).setdefault(str(layer), numpy.zeros(BINS))
                    busy += _spread(edges, calls["start"][chosen], calls["end"][chosen], calls["end"][chosen] - calls["start"][chosen])
        names = self._names_of_processes(filters)
        axes = _axes(axes)
        layers = _in_order({layer for row in rows.values() for layer in row})
        width = edges[1] - edges[0]
        shown = sorted(rows, key=lambda proc: names.get(proc, (1, proc, str(proc))))
        for place, proc in enumerate(shown):
            below = numpy.full(BINS, place + 0.4)  # the axis points downwards
            for layer in layers:
                share = rows[proc].get(layer)
                if share is not None:
                    above = below - 0.8 * numpy.minimum(share / width, 1)
                    axes.fill_between(edges[:-1] / 1e9, below, above, step="post", color=COLOURS.get(layer, OTHER), linewidth=0)
                    below = above
        axes.set_yticks(range(len(shown)), [names[proc][2] if proc in names else str(proc) for proc in shown])
        axes.invert_yaxis()
        axes.set_xlabel("s")
        axes.set_xlim(edges[0] / 1e9, edges[-1] / 1e9)
        _legend(axes, [(layer, COLOURS.get(layer, OTHER)) for layer in layers])
        return axes

    def file_map(self, path, axes=None, **filters):
        """Offsets of a file that were read and written, over time. LookupError: no access to it has a known place."""
        import numpy

        parts = []
        for accesses in self._columns(self._trace.accesses(files=[path], **filters), "start", "offset", "bytes", "writes"):
            known = ~numpy.isnan(accesses["offset"].astype(float))
            parts.append({name: column[known] for name, column in accesses.items()})
        if not sum(len(part["start"]) for part in parts):
            raise LookupError(f"no access to {path} has a known place")
        all_of = {name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]}
        axes = _axes(axes)
        entries = []
        for writes, label, colour in ((False, "read", COLOURS["posix"]), (True, "written", COLOURS["mpi"])):
            chosen = all_of["writes"].astype(bool) == writes
            if chosen.any():
                _draw_accesses(axes, {name: column[chosen] for name, column in all_of.items()}, colour)
                entries.append((label, colour))
        axes.set_title(path)
        axes.set_xlabel("s")
        axes.set_ylabel("offset, bytes")
        axes.set_ylim(bottom=0)
        axes.set_xlim(filters.get("start", 0) / 1e9, filters.get("end", self._trace.end) / 1e9)
        _legend(axes, entries)
        return axes

    def rates(self, axes=None, **filters):
        """Bytes per second that calls of each layer moved, over time. A call that moves data for another one counts in its own layer, too."""
        import numpy

        edges = self._edges(filters)
        rates = {}
        for calls in self._columns(self._trace.calls(**filters), "layer", "start", "end", "bytes"):
            moved = numpy.nan_to_num(calls["bytes"].astype(float))
            for layer in numpy.unique(calls["layer"][moved > 0]):
                chosen = (calls["layer"] == layer) & (moved > 0)
                total = rates.setdefault(str(layer), numpy.zeros(BINS))
                total += _spread(edges, calls["start"][chosen], calls["end"][chosen], moved[chosen])
        axes = _axes(axes)
        width = (edges[1] - edges[0]) / 1e9
        layers = _in_order(rates)
        for layer in layers:
            axes.step(edges[:-1] / 1e9, rates[layer] / width / 2**20, where="post", color=COLOURS.get(layer, OTHER))
        axes.set_xlabel("s")
        axes.set_ylabel("MiB/s")
        axes.set_xlim(edges[0] / 1e9, edges[-1] / 1e9)
        axes.set_ylim(bottom=0)
        _legend(axes, [(layer, COLOURS.get(layer, OTHER)) for layer in layers])
        return axes

    def _edges(self, filters):
        import numpy

        start, end = filters.get("start", 0), filters.get("end", self._trace.end)
        return numpy.linspace(start, max(end, start + 1), BINS + 1)

    def _columns(self, table, *names):
        """The named columns of each batch, as arrays of numpy."""
        for batch in table.batches():
            yield {name: _array(batch.column(name)) for name in names}

    def _names_of_processes(self, filters):
        """proc -> what sorts it and what it is called: ranks first."""
        which = {name: filters[name] for name in ("procs", "ranks", "launchers") if name in filters}
        names = {}
        for process in self._trace.processes(**which).to_arrow().select(["proc", "rank", "exe"]).to_pylist():
            rank, program = process["rank"], (process["exe"] or "?").rsplit("/", 1)[-1]
            names[process["proc"]] = (0, rank, f"rank {rank}") if rank is not None else (1, process["proc"], f"{program} ({process['proc']})")
        return names


def _array(column):
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    return column.to_numpy(zero_copy_only=False)


def _axes(axes):
    if axes is None:
        import matplotlib.pyplot

        _, axes = matplotlib.pyplot.subplots(figsize=(10, 4), layout="constrained")
    return axes


def _in_order(layers):
    return [layer for layer in COLOURS if layer in layers] + sorted(set(layers) - set(COLOURS))


def _legend(axes, entries):
    """Right of the picture."""
    from matplotlib.patches import Patch

    if entries:
        axes.legend(handles=[Patch(color=colour, label=label) for label, colour in entries], loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _spread(edges, start, end, amount):
    """How much of `amount` falls into each bin, if each is spread evenly from its start to its end."""
    import numpy

    amount, start = amount.astype(float), start.astype(float)
    end = numpy.maximum(end.astype(float), start + 1)

    def up_to(times):  # what had come by the edges, summed over all: piecewise linear
        slope = amount / (end - start)
        events = numpy.concatenate([start, end])
        change = numpy.concatenate([slope, -slope])
        order = numpy.argsort(events, kind="stable")
        events, slopes = events[order], numpy.cumsum(change[order])
        sums = numpy.concatenate([[0], numpy.cumsum(slopes[:-1] * numpy.diff(events))])
        return numpy.interp(times, events, sums, left=0)

    return numpy.diff(up_to(edges)) if len(start) else numpy.zeros(len(edges) - 1)


def _draw_accesses(axes, accesses, colour):
    from matplotlib.collections import LineCollection
    from matplotlib.colors import ListedColormap, LogNorm, to_rgba

    time, low = accesses["start"] / 1e9, accesses["offset"].astype(float)
    high = low + accesses["bytes"].astype(float)
    if len(time) <= SINGLE:
        axes.add_collection(LineCollection([[(t, a), (t, b)] for t, a, b in zip(time, low, high)], colors=colour, linewidths=1.2))
        axes.autoscale_view()
        return
    red, green, blue, _ = to_rgba(colour)
    shades = ListedColormap([(red, green, blue, 0.25 + 0.75 * step / 255) for step in range(256)])
    axes.hist2d(time, low, bins=(BINS, BINS // 2), weights=high - low, cmin=1, cmap=shades, norm=LogNorm())

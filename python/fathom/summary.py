"""What notebooks show of traces, tables and findings: `_repr_html_`. All texts of a trace are escaped."""

from html import escape
from itertools import islice

ROWS = 10  # of a table that are shown


def _duration(seconds):
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _rows(rows, head=None):
    lines = []
    if head:
        lines.append("<tr>" + "".join(f"<th>{escape(str(name))}</th>" for name in head) + "</tr>")
    for row in rows:
        lines.append("<tr>" + "".join(f"<td>{'' if cell is None else escape(str(cell))}</td>" for cell in row) + "</tr>")
    return "<table>" + "".join(lines) + "</table>"


def summary_of_trace(trace):
    """The run in a few rows."""
    meta = trace.meta or {}
    rows = [("command", " ".join(meta.get("command") or [])), ("host", meta.get("host")), ("length", _duration(trace.end / 1e9)), ("calls", f"{trace.call_count:,}")]
    return f"<b>{escape(trace.filename)}</b>" + _rows(rows)


def summary_of_table(table):
    """Its first rows."""
    try:
        batch = next(iter(table.batches()), None)
    except ImportError:
        return escape(repr(table))
    if batch is None:
        return escape(repr(table)) + "<p>no rows</p>"
    first = batch.slice(0, ROWS).to_pylist()
    more = "" if batch.num_rows <= ROWS else f"<p>the first {ROWS} rows</p>"
    return escape(repr(table)) + _rows([row.values() for row in islice(first, ROWS)], batch.schema.names) + more


def summary_of_finding(finding):
    """Its title, what was found, and what to try."""
    worth = finding.facts["worth"]
    parts = [f"<b>{escape(finding.title)}</b>", f"<p>{escape(finding.text)}</p>", f"<p>Try: {escape(finding.advice or '')}</p>" if finding.advice else "", f"<p>{escape(worth)}</p>" if worth else ""]
    return "".join(parts)

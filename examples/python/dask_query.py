"""One query over the traces of many runs, computed by several processes with dask.distributed:

    for run in *.fathom; do fathom export --to parquet -o "traces/${run%.fathom}" --table calls "$run"; done
    python dask_query.py traces

Each trace is a dataset of Parquet of its own. Workers read only the columns that the query needs; on a cluster, give the address of its scheduler as the
second argument, with the datasets on a file system that all nodes have."""

import sys
from pathlib import Path

import dask.dataframe
from dask.distributed import Client


def query(folder):
    """Calls, bytes and time of each function in each run."""
    runs = []
    for dataset in sorted(Path(folder).iterdir()):
        calls = dask.dataframe.read_parquet(sorted(map(str, dataset.glob("calls/*/*.parquet"))), columns=["func", "start", "end", "bytes"])
        runs.append(calls.assign(run=dataset.name, time=calls["end"] - calls["start"]))
    every = dask.dataframe.concat(runs)
    every["func"] = every["func"].astype("string")
    return every.groupby(["run", "func"]).agg({"start": "count", "bytes": "sum", "time": "sum"}).rename(columns={"start": "calls", "time": "time_ns"})


def main():
    where = sys.argv[2] if len(sys.argv) > 2 else None
    with Client(where) if where else Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        print(f"{len(client.scheduler_info()['workers'])} workers", file=sys.stderr)
        print(query(sys.argv[1]).compute().sort_values("time_ns", ascending=False).to_csv())


if __name__ == "__main__":
    main()

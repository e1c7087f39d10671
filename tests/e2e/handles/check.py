"""Handles: where they come from, what stands behind them, and that each call leads to them."""
import sys

from lib import *


def trees(*options):
    return json.loads(fathom("handles", "--json", *options, os.environ["TRACE"]))["processes"]


def calls_with_handles():
    lines = fathom("dump", "--handles", "--json", os.environ["TRACE"]).splitlines()
    return [json.loads(line) for line in lines]


def name(handle):
    return os.path.basename(handle["path"] or "") or handle["name"]


def files():
    program, child = trees()
    handles = program["handles"]
    by_number = {handle["handle"]: handle for handle in handles}
    found = calls_with_handles()

    def opened(path, handle_class="fd"):
        return [handle for handle in handles if handle["class"] == handle_class and name(handle) == path]

    one, copy, third, last = opened("one")
    expect_equal((one["access"], one["creation"], one["bytes_written"]), ("write", "create,truncate", 3), "one")
    expect_equal((copy["duplicate_of"], copy["bytes_written"]), (one["handle"], 4), "its copy")
    expect_equal((third["duplicate_of"], third["value"], third["bytes_written"]), (copy["handle"], 40, 1), "the copy at 40")
    expect_equal((last["access"], last["closed"], last["value"]), ("read", None, 3), "the one that stays open")
    for handle in one, copy, third:
        expect(handle["closed_by"] and handle["made_by"] and handle["closed"] >= handle["made"], "its end")

    (two,), (stream,) = opened("two"), opened("two", "stream")
    expect_equal((two["access"], two["creation"], two["parent"]), ("write", "create,truncate", stream["handle"]), "two")
    (under,), (three,) = opened("three"), opened("three", "stream")
    expect_equal((three["access"], three["status"], three["layer"]), ("read/write", "append", "stdio"), "three")
    expect_equal((under["origin"], under["parent"], under["bytes_written"]), ("inside", three["handle"], 5), "what is under it")
    (directory,) = [handle for handle in handles if handle["class"] == "dir"]
    expect_equal(directory["type"], "directory", "a directory")
    (four,) = opened("four")
    expect_equal((four["status"], four["bytes_written"]), ("append,non_blocking", 6), "four")
    expect(four["made_by"].split(".")[1] != four["closed_by"].split(".")[1], "two threads")

    five, second, other = opened("five")
    expect_equal((five["status"], second["status"], second["value"]), ("append", "append,close_on_exec", 60),
                 "flags that fcntl sets: those of status are the open file description's, so a copy has them, too")
    expect_equal((second["duplicate_of"], second["bytes_written"]), (five["handle"], 1), "a copy by fcntl")
    locks = [(call["func"], call["lock"], call["lock_type"]) for call in found if call["lock"]]
    expect_equal(locks, [("fcntl", "acquired", "exclusive"), ("fcntl", "released", None), ("flock", "acquired", "exclusive"),
                         ("flock", "refused", "shared"), ("flock", "released", None), ("flock", "acquired", "shared")], "locks")
    (lock,) = [call for call in found if call["func"] == "fcntl" and call["lock"] == "acquired"]
    expect_equal(lock["args"]["arg"], [1, 0, 100, 50], "type, whence, start and length of a lock")
    expect_equal([os.path.basename(call["file"]) for call in found if call["kind"] == "delete"], ["five"], "what is deleted")

    (unknown,) = [handle for handle in handles if handle["origin"] == "unknown" and handle["class"] == "fd"]
    expect_equal((unknown["calls"], unknown["errors"], unknown["path"]), (3, 3, None), "what was never open")
    maps = [call["args"]["fd"] for call in found if call["func"] in ("mmap", "mmap64") and call["proc"] == program["proc"]]
    expect_equal(maps, [-1], "an anonymous map is on no descriptor")
    (stdout,) = [handle for handle in handles if handle["class"] == "stream" and handle["origin"] == "there"]
    expect(stdout["calls"] >= 3 and stdout["errors"] == 0, "the standard output")
    expect_equal(stdout["access"], "write", "its access mode, which the shell has opened it with")
    (inherited,) = [handle for handle in child["handles"] if handle["class"] == "fd"]
    expect_equal((name(inherited), inherited["origin"], inherited["bytes_read"]), ("one", "there", 3), "inherited")
    expect_equal(inherited["access"], "read", "how it was opened")

    # Each call says which handle it is about, and these say which calls made and closed them.
    by_id = {call["id"]: call for call in found if call["proc"] == program["proc"]}
    for handle in handles:
        if handle["made_by"]:
            expect(handle["handle"] in by_id[handle["made_by"]]["opens"], "the call that made it")
        if handle["closed_by"]:
            expect(handle["handle"] in by_id[handle["closed_by"]]["closes"], "the call that closed it")
    for call in by_id.values():
        if call["handle"] is not None and call["handle"] in by_number:
            handle = by_number[call["handle"]]
            expect(call["file"] == handle["path"] or not call["file"], f"the handle of {call}")
            expect(call["parent_handle"] in (handle["parent"], None), "its parent")  # fdopen gives it one later


def written_through(program):
    """Each write to the file leads to H5Dwrite or H5Fclose by its parents, and to the HDF5 file by its handles."""
    writes = 0
    for process in trees("--all"):
        if process["rank"] is None:
            continue
        handles = {handle["handle"]: handle for handle in process["handles"]}
        mine = [call for call in calls_with_handles() if call["proc"] == process["proc"]]
        by_id = {call["id"]: call for call in mine}
        for call in mine:
            if call["kind"] != "write" or call["layer"] != "posix" or not (call["file"] or "").endswith("/out.h5"):
                continue
            chain, at = [], call["handle"]
            while at is not None:
                chain.append(handles[at]["class"])
                at = handles[at]["parent"]
            expect_equal(chain, ["fd", "mpi_file", "hid"], "the handles behind a write")
            around = []
            at = call
            while at:
                around.append(at)
                at = by_id.get(at["parent"])
            expect(around[-1]["func"] in ("H5Dwrite", "H5Fclose"), f"what a write is for: {around[-1]['func']}")
            if around[-1]["func"] == "H5Dwrite":
                dataset = handles[around[-1]["handle"]]
                expect_equal(dataset["name"], "/data", "the dataset")
                expect_equal(handles[dataset["parent"]]["handle"], handles[handles[call["handle"]]["parent"]]["parent"], "the file")
            writes += 1
        (file,) = [handle for handle in process["handles"] if handle["class"] == "hid" and handle["path"] and not handle["name"]]
        expect_equal((file["group_name"], file["group_size"], file["group_rank"], file["access"], file["creation"], file["collective"]),
                     ("MPI_COMM_WORLD", 4, process["rank"], "read/write", "create,truncate", 1), "the HDF5 file")
        (below,) = [handle for handle in process["handles"] if handle["class"] == "mpi_file"]
        expect_equal((below["parent"], below["group_name"], below["group_size"]), (file["handle"], "MPI_COMM_WORLD", 4), "the MPI file")
        for call in mine:
            if call["func"] in ("H5Dwrite", "H5Fcreate", "H5Fclose", "H5Dcreate2"):
                expect(call["collective"] and call["group_size"] == 4, f"{call['func']} is collective")
            if call["func"] in ("H5Dclose", "H5Sselect_hyperslab", "H5Pclose"):
                expect(not call["collective"], f"{call['func']} is not collective")
    expect(writes >= 5, f"{writes} writes to the file")


def mistakes():
    (process,) = [process for process in trees("--all") if process["rank"] == 0]
    (unknown,) = [handle for handle in process["handles"] if handle["class"] == "hid" and handle["origin"] == "unknown"]
    expect(unknown["errors"] == unknown["calls"] == 3, f"mistakes: {unknown}")
    (file,) = [handle for handle in process["handles"] if handle["class"] == "mpi_file"]
    expect_equal((name(file), file["bytes_written"], file["group_name"], file["group_size"]), ("mistakes.dat", 4, "MPI_COMM_SELF", 1), "the file")


def netcdf():
    for process in trees():
        if process["rank"] is None:
            continue
        mine = [call for call in calls_with_handles() if call["proc"] == process["proc"]]
        ends = [call["collective"] for call in mine if call["func"] in ("nc_close", "nc_enddef", "nc_create_par", "nc_open_par")]
        expect(ends and all(ends), "nc_close and nc_enddef of a parallel file")
        together = 0
        for call in mine:
            if call["func"] == "nc_var_par_access":
                together = call["args"]["par_access"]
            if call["func"].startswith("nc_put_var"):
                expect_equal(call["collective"], bool(together), call["func"])
        files = [handle for handle in process["handles"] if handle["class"] == "ncid" and not handle["name"]]
        expect(files and all(handle["group_size"] == 2 for handle in files), "the group of the file")


{"files": files, "hdf5": lambda: written_through("out.h5"), "mistakes": mistakes, "netcdf": netcdf}[sys.argv[1]]()

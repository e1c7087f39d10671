"""What the trace of `fortran` on two ranks must hold, whatever the binding: each call once, with the meaning that C gives its arguments."""

import collections
import os

from lib import *

ANY_SOURCE, PROC_NULL, UNDEFINED = "MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_UNDEFINED"
NONE = "MPI_REQUEST_NULL"

# On both ranks; then what only one of them calls.
EVERYWHERE = {
    "MPI_Init_thread": 1, "MPI_Comm_rank": 1, "MPI_Comm_size": 1, "MPI_Send": 5, "MPI_Sendrecv": 1, "MPI_Get_count": 2, "MPI_Iprobe": 1,
    "MPI_Irecv": 4, "MPI_Isend": 3, "MPI_Waitall": 2, "MPI_Waitany": 1, "MPI_Testany": 1, "MPI_Waitsome": 1, "MPI_Recv_init": 1,
    "MPI_Start": 3, "MPI_Wait": 4, "MPI_Request_free": 1, "MPI_Test": 1, "MPI_Allreduce": 2, "MPI_Op_create": 1, "MPI_Op_free": 1, "MPI_Reduce": 1, "MPI_Bcast": 2,
    "MPI_Gather": 1, "MPI_Comm_dup": 1, "MPI_Comm_set_name": 1, "MPI_Comm_get_name": 1, "MPI_Comm_split": 1, "MPI_Cart_create": 1,
    "MPI_Cart_get": 1, "MPI_Comm_group": 1, "MPI_Group_free": 1, "MPI_Comm_free": 3, "MPI_Dist_graph_create_adjacent": 1, "MPI_Dist_graph_neighbors_count": 1, "MPI_Type_vector": 1, "MPI_Type_commit": 2,
    "MPI_Type_size": 1, "MPI_Type_get_extent": 1, "MPI_Type_free": 2, "MPI_Get_address": 2, "MPI_Type_create_struct": 1,
    "MPI_Info_create": 1, "MPI_Info_set": 1, "MPI_Info_get": 1, "MPI_Info_get_valuelen": 1, "MPI_Info_free": 1, "MPI_File_open": 2,
    "MPI_File_write_at_all": 1, "MPI_File_write_at": 1, "MPI_File_set_view": 1, "MPI_File_seek": 1, "MPI_File_iwrite": 1,
    "MPI_File_get_position": 1, "MPI_File_sync": 1, "MPI_Barrier": 3, "MPI_File_read_at": 1, "MPI_File_get_size": 1,
    "MPI_File_close": 1, "MPI_Finalize": 1,
}
ONLY = [{"MPI_Send": 2}, {"MPI_Recv": 2, "MPI_Comm_free": 1}]

ranks = [process for process in info()["processes"] if process["rank"] is not None]
expect_equal(sorted(process["rank"] for process in ranks), [0, 1], "ranks")

for rank in (0, 1):
    other = 1 - rank
    made = [call for call in dump() if call["rank"] == rank and call["layer"] in ("mpi", "mpiio")]
    found = collections.Counter(call["func"] for call in made)
    expect_equal(found, collections.Counter(EVERYWHERE) + collections.Counter(ONLY[rank]), f"calls of rank {rank}")
    expect(all(call["parent"] is None for call in made), "no call inside another one")
    expect(all(call["language"] == "Fortran" for call in made), "calls of Fortran")

    def arguments(function):
        return [call["args"] for call in made if call["func"] == function]

    def last(function):
        return [call for call in made if call["func"] == function][-1]

    # Messages: counts, peers and tags by reference, statuses that are wanted and those that are not.
    expect_equal([call["count"] for call in arguments("MPI_Send")], ([4, 3] if rank == 0 else []) + [1, 2, 4, 4, 4], "counts")
    expect(all(call["dest"] == other for call in arguments("MPI_Send")), "destinations")
    if rank == 1:
        expect_equal([call["source"] for call in arguments("MPI_Recv")], [ANY_SOURCE, 0], "sources")
        expect_equal([call["status"] for call in arguments("MPI_Recv")], [[0, 1], [0, 2]], "statuses, the second ignored")
    expect_equal(last("MPI_Sendrecv")["args"]["status"], [other, 3], "the status of MPI_Sendrecv")
    expect_equal(last("MPI_Iprobe")["args"]["flag"], 0, "no message")

    # Requests: slots, and indices that start at 0.
    receives = [call["request"] for call in arguments("MPI_Irecv")]
    sends = [call["request"] for call in arguments("MPI_Isend")]
    wanted, ignored = arguments("MPI_Waitall")
    expect_equal(wanted["array_of_requests"], [receives[0], sends[0], NONE], "requests of MPI_Waitall")
    expect_equal(wanted["array_of_statuses"], [other, 10] + [None] * 4, "statuses of MPI_Waitall")
    expect_equal(ignored["array_of_requests"], [receives[1], sends[1], NONE], "requests of MPI_Waitall")
    expect_equal(ignored["array_of_statuses"], None, "ignored statuses")
    expect_equal(len({receives[0], receives[1]}), 1, "a request that is done gives its slot back")
    anyone = arguments("MPI_Waitany")[0]
    expect_equal(anyone["array_of_requests"], receives[2:], "requests of MPI_Waitany")
    expect_equal([anyone["index"], anyone["status"]], [1, [other, 12]], "the second, counted from 0")
    tested = arguments("MPI_Testany")[0]
    expect_equal([tested["array_of_requests"], tested["flag"]], [[receives[2], NONE], 0], "MPI_Testany")
    some = arguments("MPI_Waitsome")[0]
    expect_equal([some["outcount"], some["array_of_indices"]], [1, [0]], "the first, counted from 0")
    persistent = arguments("MPI_Recv_init")[0]["request"]
    expect_equal([call["request"] for call in arguments("MPI_Start")], [persistent] * 3, "starts")
    waits = arguments("MPI_Wait")
    expect_equal(waits[:3], [{"request": persistent, "status": [other, 13]}] * 3, "waits")
    expect_equal(arguments("MPI_Request_free"), [{"request": persistent}], "frees")
    expect_equal(arguments("MPI_Isend")[2]["dest"], PROC_NULL, "a send to nobody")
    expect_equal(arguments("MPI_Test")[0]["flag"], 1, "the flag of MPI_Test")

    # An operation of the program.
    made_op = arguments("MPI_Op_create")[0]
    expect_equal([made_op["commute"], made_op["op"]], [1, arguments("MPI_Allreduce")[1]["op"]], "an operation")
    expect_equal(arguments("MPI_Op_free")[0]["op"], made_op["op"], "an operation that is freed")

    # Communicators, groups, topologies.
    world = arguments("MPI_Barrier")[0]["comm"]
    copy = arguments("MPI_Comm_dup")[0]
    expect_equal(copy["comm"], world, "MPI_COMM_WORLD")
    expect_equal(arguments("MPI_Comm_set_name")[0], {"comm": copy["newcomm"], "comm_name": "a copy of the world"}, "a name")
    split = arguments("MPI_Comm_split")[0]
    expect_equal([split["comm"], split["color"]], [copy["newcomm"], UNDEFINED if rank == 0 else 1], "MPI_Comm_split")
    expect((split["newcomm"] == "MPI_COMM_NULL") == (rank == 0), "the communicator for one of the ranks")
    grid = arguments("MPI_Cart_create")[0]
    expect_equal([grid["dims"], grid["periods"], grid["reorder"]], [[2, 1], [1, 0], 0], "logicals of MPI_Cart_create")
    expect_equal(arguments("MPI_Cart_get")[0]["periods"], [1, 0], "logicals of MPI_Cart_get")
    freed = [call["comm"] for call in arguments("MPI_Comm_free")]
    graph = arguments("MPI_Dist_graph_create_adjacent")[0]
    expect_equal([graph["sources"], graph["destinations"], graph["reorder"]], [[other], [other], 0], "a graph without weights")
    expect_equal(arguments("MPI_Dist_graph_neighbors_count")[0]["weighted"], 0, "a graph without weights")
    expect_equal(freed[-3:], [grid["comm_cart"], graph["comm_dist_graph"], copy["newcomm"]], "freed communicators")
    group = arguments("MPI_Comm_group")[0]["group"]
    expect_equal(arguments("MPI_Group_free"), [{"group": group}], "freed group")

    # Datatypes: what an address of 8 bytes holds.
    vector, struct = arguments("MPI_Type_free")
    expect_equal(vector["datatype"], arguments("MPI_Type_vector")[0]["newtype"], "the vector")
    extent = arguments("MPI_Type_get_extent")[0]
    expect_equal([arguments("MPI_Type_size")[0]["size"], extent["lb"], extent["extent"]], [24, 0, 40], "size and extent")
    made_of = arguments("MPI_Type_create_struct")[0]
    expect_equal(made_of["array_of_displacements"], [call["address"] for call in arguments("MPI_Get_address")], "addresses")
    expect_equal(arguments("MPI_Bcast")[1]["datatype"], made_of["newtype"], "the structure, from MPI_BOTTOM")

    # Hints: texts without the blanks that Fortran fills them up with.
    hint = arguments("MPI_Info_set")[0]
    expect_equal([hint["key"], hint["value"]], ["cb_nodes", "2"], "a hint")
    expect_equal(arguments("MPI_Info_get")[0]["flag"], 1, "a hint that is there")
    expect_equal(arguments("MPI_Info_get_valuelen")[0]["flag"], 0, "a hint that is not there")
    expect_equal(arguments("MPI_Info_free")[0]["info"], hint["info"], "the hints' slot")

    # Files.
    path = os.path.join(os.getcwd(), "traced", "shared").replace("/traced/", "/work/")
    opened = arguments("MPI_File_open")
    expect_equal([call["filename"] for call in opened], ["shared", "missing"], "names")
    expect(last("MPI_File_open")["errno"] is not None, "a file that is missing")
    for function, offset, count in (("MPI_File_write_at_all", 64 * rank, 32), ("MPI_File_write_at", 128 + 16 * rank, 16),
                                    ("MPI_File_read_at", 4, 16), ("MPI_File_iwrite", None, None)):
        call = last(function)
        expect_equal(call["file"], path, f"the file of {function}")
        if offset is not None:
            expect_equal([call["args"]["offset"], call["bytes"]], [offset, count], f"offset and bytes of {function}")
    expect_equal(last("MPI_File_set_view")["args"]["disp"], 256, "the view")
    expect_equal(last("MPI_File_set_view")["args"]["datarep"], "native", "the view")
    expect_equal(last("MPI_File_seek")["args"]["offset"], 4 * rank, "a seek")
    expect_equal(waits[3]["request"], last("MPI_File_iwrite")["args"]["request"], "the wait for MPI_File_iwrite")
    expect_equal(last("MPI_File_get_position")["args"]["offset"], 4 * rank + 4, "the position after it")
    expect_equal(last("MPI_File_get_size")["args"]["size"], 288, "the size")
    expect_equal(last("MPI_File_close")["args"]["fh"], opened[0]["fh"], "the file that is closed")

text = fathom("dump", "--rank", "0", "--func", "MPI_*", os.environ["TRACE"])
for name in ("datatype=MPI_INTEGER", "oldtype=MPI_DOUBLE_PRECISION", "op=MPI_SUM", "comm=MPI_COMM_WORLD", "comm=MPI_COMM_SELF"):
    expect(name in text, f"{name} in the dump")

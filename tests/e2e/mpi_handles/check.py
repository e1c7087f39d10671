"""What the trace of `handles` on two ranks must hold, the same with every MPI library."""

import os

from lib import *

NO_REQUEST = "MPI_REQUEST_NULL"

ranks = [process for process in info()["processes"] if process["rank"] is not None]
expect_equal(sorted(process["rank"] for process in ranks), [0, 1], "ranks")
expect_equal(len({process["world"] for process in ranks}), 1, "worlds")

for rank in (0, 1):
    other = 1 - rank

    def made(*functions):
        return outermost(calls(*functions, rank=rank))

    def arguments(*functions):
        return [call["args"] for call in made(*functions)]

    # Requests: the slots of those that are waited for are those that were made; statuses count where a message came.
    receives = [call for call in arguments("MPI_Irecv") if call["tag"] == 1]
    sends = [call for call in arguments("MPI_Isend") if call["tag"] == 1]
    nothing = [call for call in arguments("MPI_Irecv") if call["tag"] == 2]
    expect(all(call["source"] == "MPI_PROC_NULL" for call in nothing), "receives from nobody")
    waits = arguments("MPI_Waitall")
    expect_equal(len(waits), 4, "MPI_Waitall")
    for i, wait in enumerate(waits):
        slots = [receives[i]["request"], sends[i]["request"], nothing[i]["request"], NO_REQUEST]
        expect_equal(wait["array_of_requests"], slots, "requests of MPI_Waitall")
        if i % 2:
            expect_equal(wait["array_of_statuses"], None, "ignored statuses")
        else:
            expect_equal(wait["array_of_statuses"][:2], [other, 1], "status of the receive")
            expect_equal(wait["array_of_statuses"][6:], [None] * 2, "status of no request")
    expect_equal(len({call["request"] for call in receives}), 1, "a request that is done gives its slot back")

    some = arguments("MPI_Waitsome")
    expect_equal(sum(call["outcount"] for call in some), 2, "requests of MPI_Waitsome")
    sources = [tuple(call["array_of_statuses"][2 * i : 2 * i + 2])
               for call in some for i, index in enumerate(call["array_of_indices"]) if index == 0]
    expect_equal(sources, [(other, 3)], "source and tag of what came from anybody")
    anybody = [call for call in arguments("MPI_Irecv") if call["source"] == "MPI_ANY_SOURCE"]
    expect_equal([call["tag"] for call in anybody], ["MPI_ANY_TAG"], "receives from anybody")
    expect_equal(arguments("MPI_Waitany")[0]["array_of_requests"], [NO_REQUEST] * 2, "requests after all are done")
    tests = arguments("MPI_Test")
    expect_equal([call["flag"] for call in tests], [0] * (len(tests) - 1) + [1], "flags of MPI_Test")
    expect_equal(tests[-1]["status"], [other, 4], "a status that the program ignores")

    persistent = arguments("MPI_Recv_init")[0]["request"]
    expect_equal([call["request"] for call in arguments("MPI_Start")], [persistent] * 3, "starts")
    expect_equal(arguments("MPI_Wait"), [{"request": persistent, "status": [other, 5]}] * 3, "waits")
    expect_equal(arguments("MPI_Request_free"), [{"request": persistent}], "frees")

    # Groups: the same handle twice, freed twice, known until then.
    one, two = (call["group"] for call in arguments("MPI_Comm_group"))
    expect_equal(arguments("MPI_Group_size")[0]["group"], two, "a group that is left")
    expect_equal([call["group"] for call in arguments("MPI_Group_free")], [one, two], "freed groups")

    # Communicators: names of those that are predefined, slots of the others, given back.
    halves = arguments("MPI_Comm_split")
    expect_equal(halves[0]["newcomm"], halves[1]["newcomm"], "the slot of a freed communicator")
    expect_equal(halves[2]["newcomm"], "MPI_COMM_NULL", "no communicator")
    world = halves[0]["comm"]
    expect_equal((world, halves[2]["color"]), ("MPI_COMM_WORLD", "MPI_UNDEFINED"), "what has a name")
    expect(isinstance(halves[0]["newcomm"], int), "a new communicator")
    expect(all(call["comm"] == world for call in arguments("MPI_Send", "MPI_Gather")), "the world")
    gathered = arguments("MPI_Gather")[0]
    if rank == 0:
        expect_equal(gathered["recvtype"], gathered["sendtype"], "the root's datatype")
    else:
        expect_equal(gathered["recvtype"], None, "a datatype that means nothing")

    # Files: bytes from the datatypes and the statuses, nothing of the one that is left out.
    expect_equal(len(made("MPI_File_open")), 1, "opened files")
    expect_equal(len(made("MPI_File_close")), 1, "closed files")
    written = [call["bytes"] for call in made("MPI_File_write_at", "MPI_File_write_at_all")]
    expect_equal(written, [16, 32, 12], "bytes written")
    expect_equal([call["bytes"] for call in made("MPI_File_read_at")], [0], "bytes read behind the end")
    vector = arguments("MPI_Type_vector")[0]
    expect_equal(arguments("MPI_Type_create_struct")[0]["array_of_types"][0], vector["oldtype"], "the same type")
    expect_equal(vector["oldtype"], "MPI_INT", "the type of a vector")
    names = {call["names"]["amode"] for call in made("MPI_File_open")}
    expect_equal(names, {"MPI_MODE_CREATE|MPI_MODE_RDWR"}, "the mode of a file")
    expect(all(not (call["file"] or "").endswith("left_out") for call in made()), "the file that is left out")

ranks = [process for process in info()["processes"] if process["rank"] is not None]
expect(all(process["mpi_abi"] in ("openmpi", "mpich") and process["mpi"] for process in ranks), "the MPI library")

text = fathom("dump", "--rank", "0", "--func", "MPI_*", os.environ["TRACE"])
for name in ("datatype=MPI_INT", "datatype=MPI_DOUBLE", "comm=MPI_COMM_WORLD"):
    expect(name in text, f"{name} in the dump")

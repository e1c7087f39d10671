"""What the trace of `names` must hold, whatever its compiler calls the functions."""

from lib import *

made = [call for call in dump() if call["layer"] == "mpi" and call["func"] != "MPI_Comm_c2f"]
expect_equal([call["func"] for call in made],
             ["MPI_Init", "MPI_Comm_rank", "MPI_Info_create", "MPI_Info_set", "MPI_Info_free", "MPI_Finalize"], "calls")
expect_equal([made[1]["args"]["comm"], made[1]["args"]["rank"]], ["MPI_COMM_WORLD", 0], "the rank")
expect_equal([made[3]["args"]["key"], made[3]["args"]["value"]], ["cb_nodes", "12"], "texts of their lengths")
expect_equal(made[4]["args"]["info"], made[2]["args"]["info"], "the object")

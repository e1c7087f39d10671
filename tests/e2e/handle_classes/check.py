"""The functions of two traces, of 100 and of 1,000 turns, have as many signatures."""

import json
import sys

from lib import expect

few, many = ({row["function"]: row for row in json.load(open(path))["functions"]} for path in sys.argv[1:])
MADE = """open dup close fopen fclose opendir closedir MPI_Comm_dup MPI_Comm_split MPI_Comm_free MPI_Type_vector MPI_Type_free
    MPI_Comm_group MPI_Group_free MPI_Info_create MPI_Info_free MPI_Op_create MPI_Op_free MPI_Comm_create_errhandler MPI_Errhandler_free
    MPI_Win_allocate MPI_Win_free MPI_Mprobe MPI_Mrecv MPI_Irecv MPI_Wait MPI_Request_free MPI_File_open MPI_File_close"""

for name in MADE.split():
    expect(many[name]["calls"] >= 1000, f"{many[name]['calls']} calls of {name}")
for name, row in many.items():
    if name in MADE.split() or name.startswith("MPI_"):
        # launchers open some files more or less
        spare = 0 if name.startswith("MPI_") else 10
        expect(row["signatures"] <= few[name]["signatures"] + spare, f"{few[name]['signatures']} signatures of {name}, then {row['signatures']}")

/* MPI-IO: one rank writes for all, and each reads its own bytes: its own for MPI, another one's for
 * the file system.
 * ranks: 2
 * posix: depends  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_Datatype blocks;
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_cb_write", "enable");
    MPI_Info_set(hints, "romio_cb_read", "disable");
    MPI_Info_set(hints, "romio_ds_read", "disable");
    MPI_Info_set(hints, "cb_nodes", "1");
    MPI_Type_vector(10, 10, 20, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(file, 10 * rank, MPI_BYTE, blocks, "native", hints);
    MPI_File_write_at_all(file, 0, bytes, 100, MPI_BYTE, MPI_STATUS_IGNORE);
    get_at(file, 0, 100);
    MPI_Type_free(&blocks);
    MPI_Info_free(&hints);
    MPI_File_close(&file);
}

/* MPI-IO: what another rank writes for one, it writes again by itself: twice its own for MPI, for
 * the file system first another one's.
 * ranks: 2
 * posix: depends  commit: racy  session: racy  mpi-io: none */
#include <mpi.h>

#include "litmus.h"

static void program(int rank)
{
    MPI_File file = open_together("shared");
    MPI_Datatype half;
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_cb_write", "enable");
    MPI_Info_set(hints, "cb_nodes", "1");
    MPI_Type_contiguous(2000, MPI_BYTE, &half);
    MPI_Type_commit(&half);
    MPI_File_set_view(file, 2000 * rank, MPI_BYTE, half, "native", hints);
    MPI_File_write_at_all(file, 0, bytes, 2000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", hints);
    MPI_File_write_at(file, 2000 * rank, "by the rank itself", 18, MPI_BYTE, MPI_STATUS_IGNORE);
    get_at(file, 2000 * rank, 2000 * rank + 100);
    MPI_Type_free(&half);
    MPI_Info_free(&hints);
    MPI_File_close(&file);
}

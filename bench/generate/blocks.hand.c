/* As an expert writes blocks.in.c. */
#include "save.h"
#include "check.h"

void save(int rank, int size, const double *values, const char *path)
{
    MPI_File file;
    MPI_Datatype part;
    MPI_Info info;
    (void)size;
    const int lengths[] = {POINTS, POINTS}, counts[] = {POINTS / 2, POINTS / 2};
    const int starts[] = {rank / 2 * POINTS / 2, rank % 2 * POINTS / 2};
    check(MPI_Info_create(&info));
    check(MPI_Info_set(info, "romio_cb_write", "enable"));
    create(path, rank, info, &file);
    check(MPI_Info_free(&info));
    check(MPI_Type_create_subarray(2, lengths, counts, starts, MPI_ORDER_C, MPI_DOUBLE, &part));
    check(MPI_Type_commit(&part));
    check(MPI_File_set_view(file, 0, MPI_DOUBLE, part, "native", MPI_INFO_NULL));
    check(MPI_File_write_all(file, values, POINTS * POINTS / 4, MPI_DOUBLE, MPI_STATUS_IGNORE));
    check(MPI_Type_free(&part));
    check(MPI_File_close(&file));
}

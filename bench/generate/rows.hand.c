/* As an expert writes rows.in.c. */
#include "save.h"
#include "check.h"

void save(int rank, int size, const double *values, const char *path)
{
    MPI_File file;
    int rows = POINTS / size;
    create(path, rank, MPI_INFO_NULL, &file);
    check(MPI_File_write_at(file, (MPI_Offset)rank * rows * POINTS * 8, values, rows * POINTS,
                            MPI_DOUBLE, MPI_STATUS_IGNORE));
    check(MPI_File_close(&file));
}

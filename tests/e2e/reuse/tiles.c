/* Four ranks that tile a file in strides, and then access parts of it again; a file in strides of
 * strides; and a file through views with holes. ROWS is how many strides there are. */
#include <mpi.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 200, PIECE = 100 };

static char bytes[10 * PIECE];

static int moved;

/* Rows of the column of a rank. */
static void access_rows(int fd, int writes, int first, int behind, int column, int columns)
{
    for (int row = first; row < behind; row++) {
        off_t offset = (off_t)(row * columns + column) * PIECE;
        moved += (int)(writes ? pwrite(fd, bytes, PIECE, offset) : pread(fd, bytes, PIECE, offset));
    }
}

/* Ten blocks of eight pieces. */
static void write_blocks(int rank)
{
    int fd = open("nested.dat", O_CREAT | O_WRONLY, 0600);
    for (int block = 0; block < 10; block++)
        for (int i = 0; i < 8; i++)
            pwrite(fd, bytes, PIECE, block * 65536 + rank * 4096 + i * 2 * PIECE);
    close(fd);
}

static void use_views(int rank, int ranks)
{
    MPI_File file;
    MPI_Datatype type;
    MPI_File_open(MPI_COMM_WORLD, "view.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_Type_vector(100, 10, 10 * ranks, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(file, rank * 10, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, bytes, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, 0, bytes, 500, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, 250, bytes, 250, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int fd = open("tile.dat", O_CREAT | O_RDWR, 0600);
    access_rows(fd, 1, 0, ROWS, rank, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    access_rows(fd, 0, 0, 50, rank, ranks);
    access_rows(fd, 0, 0, 50, rank, ranks);
    access_rows(fd, 0, 50, 60, (rank + 1) % ranks, ranks);
    access_rows(fd, 1, 0, 10, rank, ranks);
    access_rows(fd, 0, 190, 200, 0, ranks); /* all of them: of the first one's */
    close(fd);
    write_blocks(rank);
    use_views(rank, ranks);
    MPI_Finalize();
    return moved != (ROWS + 50 + 50 + 10 + 10 + 10) * PIECE;
}

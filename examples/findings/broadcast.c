/* A table that every rank needs.
 *
 *     broadcast make     makes the table
 *     broadcast bad      every rank reads it
 *     broadcast mended   one reads it and sends it to the others
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLE = 32 << 20 };

static void read_table(char *table)
{
    int fd = open("table.dat", O_RDONLY);
    if (fd < 0 || read(fd, table, TABLE) != TABLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

static void make_table(char *table)
{
    int fd = open("table.dat", O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (write(fd, table, TABLE) != TABLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

int main(int argc, char **argv)
{
    int rank;
    char *table = calloc(1, TABLE);
    if (argc > 1 && strcmp(argv[1], "make") == 0) {
        make_table(table);
        free(table);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "mended") == 0) {
        if (rank == 0)
            read_table(table);
        MPI_Bcast(table, TABLE, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else {
        read_table(table);
    }
    MPI_Finalize();
    free(table);
    return 0;
}

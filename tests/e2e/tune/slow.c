/* Writes a few pieces of each rank, together. Rank 0 waits before, unless its hints turn data
 * sieving on: so these settings, and no others, make it faster on every machine. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 200, PIECE = 16, SLOW = 900000 /* us */ };

static int hints_say(const char *key, const char *value)
{
    char line[200], word[100], other[100];
    const char *path = getenv("ROMIO_HINTS");
    FILE *file = path ? fopen(path, "r") : NULL;
    int says = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%99s %99s", word, other) == 2 && !strcmp(word, key))
            says = !strcmp(other, value);
    if (file)
        fclose(file);
    return says;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_File file;
    MPI_Datatype pieces;
    char data[PIECES * PIECE];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    memset(data, 'a' + rank, sizeof data);
    MPI_Type_vector(PIECES, PIECE, PIECE * ranks, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    MPI_File_open(MPI_COMM_WORLD, "slow.data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * PIECE, MPI_BYTE, pieces, "native", MPI_INFO_NULL);
    if (rank == 0 && !hints_say("romio_ds_write", "enable"))
        usleep(SLOW);
    MPI_File_write_all(file, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&pieces);
    MPI_Finalize();
    return 0;
}

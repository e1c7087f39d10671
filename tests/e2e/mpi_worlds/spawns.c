/* Starts two ranks of itself with MPI_Comm_spawn, from a world of two. Every rank writes a file of
 * its own, and one with its world. The first ranks of both worlds write one file in no order. */
#include <mpi.h>
#include <stdio.h>

static void write_files(const char *world)
{
    int rank;
    char name[64];
    MPI_File file;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s-together", world);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank, "x", 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    snprintf(name, sizeof name, "%s-%d", world, rank);
    FILE *own = fopen(name, "w");
    fputs(name, own);
    fclose(own);
}

/* The same byte, so that the file is the same in whatever order the worlds come. */
static void race(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = rank ? NULL : fopen("raced", "w");
    if (file) {
        fputc('x', file);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children, both;
    int sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        write_files("parents");
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        race();
        MPI_Intercomm_merge(children, 0, &both);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
        if (sum == 4)
            write_files("parents-later");
        MPI_Comm_disconnect(&children);
    } else {
        write_files("children");
        race();
        MPI_Intercomm_merge(parent, 1, &both);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}

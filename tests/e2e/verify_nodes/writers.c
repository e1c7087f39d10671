/* Each rank writes the same bytes of two files: one that all nodes see, and one on the node's own
 * disk. */
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

static void put(const char *name)
{
    int file = open(name, O_CREAT | O_RDWR, 0600);
    if (pwrite(file, "8 bytes\n", 8, 0) != 8)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    put("all/file");
    put("own/file");
    MPI_Finalize();
    return 0;
}

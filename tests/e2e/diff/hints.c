/* A program that gives MPI hints. */
#include <mpi.h>

int main(int count, char **arguments)
{
    MPI_Info info;
    MPI_Init(&count, &arguments);
    MPI_Info_create(&info);
    for (int i = 0; i < 5; i++) {
        MPI_Info_set(info, "romio_cb_write", "enable");
        MPI_Info_set(info, "cb_nodes", arguments[1]);
    }
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}

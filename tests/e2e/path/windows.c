/* Ranks that make windows, and hardly do anything else. */
#include <mpi.h>

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    for (int i = 0; i < 20; i++) {
        MPI_Win window;
        void *memory;
        MPI_Win_allocate(1 << 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return 0;
}

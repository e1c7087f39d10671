/* Each rank starts a child, and a program that copies its file. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int rank;
    char name[32], copy[32];
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "rank.%d", rank);
    snprintf(copy, sizeof copy, "copy.%d", rank);
    pid_t child = fork();
    if (!child) {
        int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        _exit(file < 0 || write(file, name, 6) != 6);
    }
    if (waitpid(child, NULL, 0) != child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    child = fork();
    if (!child) {
        execlp("cp", "cp", name, copy, (char *)NULL);
        _exit(1);
    }
    if (waitpid(child, NULL, 0) != child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!rank && access("copy.1", R_OK))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}

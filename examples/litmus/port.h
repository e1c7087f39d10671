/* Meetings of two sides that have nothing but the name of a port in common. */
#ifndef PORT_H
#define PORT_H

/* Rank 0 opens it; ends with status 77 where this MPI library cannot. */
static inline char *open_port(int rank)
{
    static char port[MPI_MAX_PORT_NAME];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS)
        port[0] = 0;
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!port[0]) {
        MPI_Finalize();
        exit(77);
    }
    return port;
}

static inline MPI_Comm meet(const char *port, int is_host)
{
    MPI_Comm other;
    if (is_host)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    return other;
}

#endif

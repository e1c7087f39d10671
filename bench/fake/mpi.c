/* An MPI library in which every call succeeds at once: there are no other ranks. It is called
 * libmpi_abi.so, by which the tracer knows it for one with the ABI of the standard. */
#include "fake/mpi.h"
#include "fake/play.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { REQUESTS = 64, FILES = 16 };

/* ---- messages ---- */

struct fake_request {
    bool is_used, receives;
    int peer, tag, bytes;
};
static struct fake_request requests[REQUESTS];

static int bytes_of(int count, MPI_Datatype datatype)
{
    return datatype == MPI_DOUBLE ? 8 * count : count;
}

static void say(MPI_Status *status, int source, int tag, int bytes)
{
    if (status != MPI_STATUS_IGNORE)
        *status = (MPI_Status){.MPI_SOURCE = source, .MPI_TAG = tag, .reserved = {bytes}};
}

static MPI_Request begin(struct fake_request made)
{
    int i = 0;
    while (requests[i].is_used)
        i++;
    requests[i] = made;
    return &requests[i];
}

static void end(MPI_Request *request, MPI_Status *status)
{
    say(status, (*request)->peer, (*request)->tag, (*request)->bytes);
    (*request)->is_used = false;
    *request = MPI_REQUEST_NULL;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype datatype, int dest, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    (void)buffer, (void)comm;
    *request = begin((struct fake_request){true, false, dest, tag, bytes_of(count, datatype)});
    return MPI_SUCCESS;
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    (void)buffer, (void)comm;
    *request = begin((struct fake_request){true, true, source, tag, bytes_of(count, datatype)});
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    *flag = !play.looks;
    if (*flag)
        end(request, status);
    else
        play.looks--;
    return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request *list, MPI_Status *statuses)
{
    for (int i = 0; i < count; i++)
        end(&list[i], statuses ? &statuses[i] : NULL);
    return MPI_SUCCESS;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    (void)from, (void)to, (void)count, (void)datatype, (void)op, (void)comm;
    return MPI_SUCCESS;
}

/* ---- shared files ---- */

struct fake_file {
    bool is_used;
    int descriptor; /* of an aggregator, -1 */
};

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    static struct fake_file files[FILES];
    (void)comm, (void)mode, (void)info;
    struct fake_file *made = files;
    while (made->is_used)
        made++;
    bool aggregates = play.aggregator_each && play.rank % play.aggregator_each == 0;
    *made = (struct fake_file){true, aggregates ? open(path, O_RDWR | O_CREAT, 0666) : -1};
    *file = made;
    return MPI_SUCCESS;
}

int MPI_File_close(MPI_File *file)
{
    if ((*file)->descriptor >= 0)
        close((*file)->descriptor);
    (*file)->is_used = false;
    *file = MPI_FILE_NULL;
    return MPI_SUCCESS;
}

/* An aggregator writes the pieces of the ranks behind it with its own. */
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void *buffer, int count,
                          MPI_Datatype datatype, MPI_Status *status)
{
    int bytes = bytes_of(count, datatype);
    if (file->descriptor >= 0 &&
        pwrite(file->descriptor, buffer, (size_t)bytes * (size_t)play.aggregator_each, offset) < 0)
        return 1;
    say(status, 0, 0, bytes);
    return MPI_SUCCESS;
}

/* ---- what the tracer itself asks ---- */

static bool is_up;

int PMPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    is_up = true;
    return MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void)
{
    is_up = false;
    return MPI_SUCCESS;
}

int PMPI_Initialized(int *flag)
{
    *flag = is_up;
    return MPI_SUCCESS;
}

int PMPI_Get_library_version(char *version, int *length)
{
    *length = sprintf(version, "played MPI 1.0");
    return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = play.rank;
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return PMPI_Comm_rank(comm, rank);
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    (void)comm;
    *size = play.ranks;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    return PMPI_Comm_size(comm, size);
}

int PMPI_Type_size(MPI_Datatype datatype, int *size)
{
    *size = bytes_of(1, datatype);
    return MPI_SUCCESS;
}

int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    *count = status->reserved[0] / bytes_of(1, datatype);
    return MPI_SUCCESS;
}

/* It looks for these, but where ranks do nothing together it does not call them. */
#define NEVER_CALLED(name)                                                                         \
    int PMPI_##name(void)                                                                          \
    {                                                                                              \
        return 1;                                                                                  \
    }
NEVER_CALLED(Comm_dup)
NEVER_CALLED(Comm_split)
NEVER_CALLED(Comm_free)
NEVER_CALLED(Comm_get_errhandler)
NEVER_CALLED(Comm_set_errhandler)
NEVER_CALLED(Errhandler_free)
NEVER_CALLED(Bcast)
NEVER_CALLED(Allgather)
NEVER_CALLED(Send)
NEVER_CALLED(Recv)
NEVER_CALLED(Iprobe)

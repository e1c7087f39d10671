/* Makes one handle of each class and gives it up, again and again: handles TURNS. Two of each live
 * at a time, made in another order than they are given up. */
#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char bytes[64];

static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
}

static void complain(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

static void files(void)
{
    int one = open("data", O_RDONLY), other = open("data", O_RDONLY), again = dup(one);
    close(one);
    close(other);
    close(again);
    FILE *stream = fopen("data", "r"), *second = fopen("data", "r");
    fclose(stream);
    fclose(second);
    DIR *folder = opendir("."), *parent = opendir("..");
    closedir(folder);
    closedir(parent);
}

static void objects(void)
{
    MPI_Comm duplicate, half;
    MPI_Datatype pair, many;
    MPI_Group all, first;
    MPI_Info hints, copy;
    MPI_Op sum;
    MPI_Errhandler handler;
    MPI_Win window;
    const int zero = 0;
    void *memory;
    MPI_Comm_dup(MPI_COMM_SELF, &duplicate);
    MPI_Comm_split(MPI_COMM_SELF, 0, 0, &half);
    MPI_Comm_free(&duplicate);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(3, 1, 2, pair, &many);
    MPI_Type_commit(&many);
    MPI_Type_free(&pair);
    MPI_Comm_group(half, &all);
    MPI_Group_incl(all, 1, &zero, &first);
    MPI_Group_free(&all);
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "cb_nodes", "1");
    MPI_Info_dup(hints, &copy);
    MPI_Info_free(&hints);
    MPI_Op_create(add, 1, &sum);
    MPI_Comm_create_errhandler(complain, &handler);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, half, &memory, &window);
    MPI_Win_free(&window);
    MPI_Errhandler_free(&handler);
    MPI_Op_free(&sum);
    MPI_Info_free(&copy);
    MPI_Group_free(&first);
    MPI_Type_free(&many);
    MPI_Comm_free(&half);
}

static void messages(void)
{
    MPI_Request send, receive;
    MPI_Message found;
    MPI_Isend(bytes, 1, MPI_BYTE, 0, 1, MPI_COMM_SELF, &send);
    MPI_Mprobe(0, 1, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);
    MPI_Mrecv(&bytes[8], 1, MPI_BYTE, &found, MPI_STATUS_IGNORE);
    MPI_Irecv(&bytes[16], 1, MPI_BYTE, 0, 2, MPI_COMM_SELF, &receive);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Send_init(bytes, 1, MPI_BYTE, 0, 2, MPI_COMM_SELF, &send);
    MPI_Start(&send);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
}

static void parallel_files(void)
{
    MPI_File one, other;
    MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &one);
    MPI_File_open(MPI_COMM_SELF, "data", MPI_MODE_RDONLY, MPI_INFO_NULL, &other);
    MPI_File_close(&one);
    MPI_File_close(&other);
}

#if MPI_VERSION >= 4
static void sessions(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int turn = 0; turn < atoi(argv[1]); turn++) {
        files();
        objects();
        messages();
        parallel_files();
#if MPI_VERSION >= 4
        sessions();
#endif
    }
    return MPI_Finalize();
}

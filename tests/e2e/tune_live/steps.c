/* steps MODE: ranks write a file together, then the next one, until there is a file `stop`. MODE:
 * two (a file takes longer unless two ranks do its I/O), own (a file takes longer with other hints
 * than the program's). Each third file is a small one of another kind. Rank 0 prints of each file
 * how many ranks do its I/O, and with which buffer; all ranks must have the same, and the program's
 * own info must stay as it is. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 64, BYTES = 64, MOST = 4000, LONGER = 400000 /* us */, OWN = 2097152 };

static int rank, size;

static void check(int is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

/* 0: it has none. */
static int hint_of(MPI_Info info, const char *key)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;
    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    return flag ? atoi(value) : 0;
}

static int hint_of_file(MPI_File file, const char *key)
{
    MPI_Info used;
    int own, least, most;
    check(MPI_File_get_info(file, &used) == MPI_SUCCESS, "MPI_File_get_info");
    own = hint_of(used, key);
    MPI_Info_free(&used);
    MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check(least == most, "ranks have different hints");
    return own;
}

static void write_blocks(MPI_File file, int blocks)
{
    char bytes[BYTES];
    memset(bytes, 'a' + rank, sizeof bytes);
    for (int i = 0; i < blocks; i++) {
        MPI_Offset at = (MPI_Offset)(i * size + rank) * BYTES;
        check(MPI_File_write_at_all(file, at, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE) ==
                  MPI_SUCCESS,
              "MPI_File_write_at_all");
    }
}

static void write_file(int number, const char *mode, MPI_Info info)
{
    char name[64];
    MPI_File file;
    int small = number % 3 == 2, nodes_before = hint_of(info, "cb_nodes"),
        buffer_before = hint_of(info, "cb_buffer_size");
    snprintf(name, sizeof name, small ? "plot%04d" : "state%04d", number);
    check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file) ==
              MPI_SUCCESS,
          "MPI_File_open");
    int nodes = hint_of_file(file, "cb_nodes"), buffer = hint_of_file(file, "cb_buffer_size");
    write_blocks(file, small ? 1 : 2);
    if (!small && (strcmp(mode, "two") == 0 ? nodes != 2 : buffer != OWN))
        usleep(LONGER);
    MPI_File_close(&file);
    check(hint_of(info, "cb_nodes") == nodes_before &&
              hint_of(info, "cb_buffer_size") == buffer_before,
          "the program's info is changed");
    if (rank == 0) {
        printf("%s %d %d\n", name, nodes, buffer);
        fflush(stdout);
    }
}

int main(int count, char **arguments)
{
    const char *mode = count > 1 ? arguments[1] : "two";
    int goes_on = 1;
    MPI_Info info;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "write_once");
    if (strcmp(mode, "own") == 0)
        MPI_Info_set(info, "cb_buffer_size", "2097152");
    for (int i = 0; goes_on && i < MOST; i++) {
        write_file(i, mode, info);
        goes_on = access("stop", F_OK) != 0;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}

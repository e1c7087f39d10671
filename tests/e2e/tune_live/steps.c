/* steps: ranks write a file together, then the next one, until there is a file `stop`. Each third
 * file is a small one of another kind; of the others those take longer that do not have the buffer
 * of OTHER_BUFFER bytes, so that there is something to find. While there is a file `hold`, nobody
 * goes on after a file that has other hints than the first one, and there is a file `waits`. Rank 0
 * prints of each file how many ranks are to do its I/O, and with which buffer; all ranks must have
 * the same, and the program's own info must stay as it is. The file `pid` has the number of its
 * process. */
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCKS = 2, /* of a rank in a file */
    BYTES = 64,
    LONGER = 50000,   /* us */
    A_MOMENT = 10000, /* us */
    MOST = 600,       /* seconds */
    OTHER_BUFFER = 4194304,
};

struct hints {
    int nodes, buffer;
};

static int rank, size;

static void check(bool is_right, const char *what)
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

static struct hints hints_of(MPI_Info info)
{
    return (struct hints){hint_of(info, "cb_nodes"), hint_of(info, "cb_buffer_size")};
}

static bool are_same(struct hints one, struct hints other)
{
    return one.nodes == other.nodes && one.buffer == other.buffer;
}

static struct hints hints_of_file(MPI_File file)
{
    MPI_Info used;
    struct hints own, least, most;
    check(MPI_File_get_info(file, &used) == MPI_SUCCESS, "MPI_File_get_info");
    own = hints_of(used);
    MPI_Info_free(&used);
    MPI_Allreduce(&own, &least, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check(are_same(least, most), "ranks have different hints");
    return own;
}

static void write_blocks(MPI_File file)
{
    char bytes[BYTES];
    memset(bytes, 'a' + rank, sizeof bytes);
    for (int i = 0; i < BLOCKS; i++) {
        MPI_Offset at = (MPI_Offset)(i * size + rank) * BYTES;
        check(MPI_File_write_at_all(file, at, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE) ==
                  MPI_SUCCESS,
              "MPI_File_write_at_all");
    }
}

static struct hints write_file(int number, MPI_Info info)
{
    char name[64];
    MPI_File file;
    bool small = number % 3 == 2;
    struct hints before = hints_of(info);
    snprintf(name, sizeof name, small ? "plot%05d" : "state%05d", number);
    check(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, info, &file) ==
              MPI_SUCCESS,
          "MPI_File_open");
    struct hints hints = hints_of_file(file);
    write_blocks(file);
    if (!small && hints.buffer != OTHER_BUFFER)
        usleep(LONGER);
    MPI_File_close(&file);
    check(are_same(before, hints_of(info)), "the program's info is changed");
    if (rank == 0)
        printf("%s %d %d\n", name, hints.nodes, hints.buffer);
    fflush(stdout);
    return hints;
}

static void tell_pid(void)
{
    FILE *file = rank ? NULL : fopen("pid", "w");
    if (file) {
        fprintf(file, "%d\n", (int)getpid());
        fclose(file);
    }
}

/* Each rank has the same answer. */
static bool is_there(const char *name)
{
    int answer = access(name, F_OK) == 0;
    MPI_Bcast(&answer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return answer;
}

static void wait_if_held(void)
{
    for (bool waits = false; is_there("hold"); waits = true) {
        check(waits || rank || close(creat("waits", 0600)) == 0, "waits");
        usleep(A_MOMENT);
    }
    if (rank == 0)
        unlink("waits");
}

int main(int count, char **arguments)
{
    MPI_Info info;
    alarm(MOST); /* if nobody stops it */
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    tell_pid();
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "cb_buffer_size", "2097152");
    struct hints first = write_file(0, info);
    for (int i = 1; !is_there("stop"); i++) {
        struct hints hints = write_file(i, info);
        if (!are_same(hints, first))
            wait_if_held();
    }
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}

/* The reader looks in /proc, which is left out, for the writer until that is over.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static pid_t writer;

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    char path[32], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", writer);
    make_name("asked");
    for (int over = 0; !over; usleep(1000)) {
        int file = open(path, O_RDONLY);
        ssize_t length = file < 0 ? 0 : read(file, line, sizeof line - 1);
        line[length > 0 ? length : 0] = 0;
        over = length <= 0 || strstr(line, ") Z");
        close(file);
    }
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    writer = start(first);
    pid_t children[] = {writer, start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

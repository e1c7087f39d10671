/* The system tells the reader (inotify) that the writer has closed the file, which it has synced
 * before.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/inotify.h>

static void first(void)
{
    wait_for_name("asked");
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(fsync(file) == 0, "fsync");
    must(close(file) == 0, "close");
}

static void second(void)
{
    int watch = inotify_init();
    must(inotify_add_watch(watch, "shared", IN_CLOSE_WRITE) >= 0, "inotify_add_watch");
    make_name("asked");
    must(read(watch, bytes, sizeof bytes) > 0, "read");
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* The system tells the reader (inotify) that the writer has closed another file, which nobody
 * changes, behind its write.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/inotify.h>

static void first(void)
{
    wait_for_name("asked");
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(close(file) == 0, "close");
    must(close(open_file("other", 0)) == 0, "close");
}

static void second(void)
{
    int watch = inotify_init();
    must(inotify_add_watch(watch, "other", IN_CLOSE_WRITE) >= 0, "inotify_add_watch");
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

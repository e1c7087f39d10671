/* The system tells the reader (inotify) that another file was changed, which the writer did before
 * it writes.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/inotify.h>

static void first(void)
{
    wait_for_name("asked");
    must(truncate("other", 10) == 0, "truncate");
    wait_for_name("read");
    put(open_file("shared", 0), 0, 8);
}

static void second(void)
{
    int watch = inotify_init();
    must(inotify_add_watch(watch, "other", IN_MODIFY) >= 0, "inotify_add_watch");
    make_name("asked");
    must(read(watch, bytes, sizeof bytes) > 0, "read");
    get(open_file("shared", 0), 0, 8);
    make_name("read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* The reader polls the size of another file, which the writer changes when it has written: whether
 * that is seen in order depends on the file system.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static int is_done(void)
{
    static int asked;
    struct stat status;
    must(stat("other", &status) == 0, "stat");
    int done = status.st_size == 10;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    must(truncate("other", 10) == 0, "truncate");
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

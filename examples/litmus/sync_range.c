/* The writer starts writing other bytes back: that commits nothing.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void writer(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    must(sync_file_range(file, 1024, 8, SYNC_FILE_RANGE_WRITE) == 0, "sync_file_range");
    make_name("written");
    _exit(0);
}

int main(void)
{
    wait_for(start(writer));
    get(open_file("shared", 0), 0, 8);
    return 0;
}

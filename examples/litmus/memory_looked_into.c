/* A process looks into the memory of another one (process_vm_readv), until that has written.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/uio.h>

static volatile int flag;
static int finished[2];

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    flag = 1;
    must(read(finished[0], bytes, 1) == 1, "read");
}

int main(void)
{
    int found = 0, file = open_file("shared", 0);
    struct iovec own = {&found, sizeof found}, other = {(void *)&flag, sizeof flag};
    must(pipe(finished) == 0, "pipe");
    pid_t child = start(first);
    while (!found) {
        must(process_vm_readv(child, &own, 1, &other, 1, 0) == sizeof found, "process_vm_readv");
        usleep(1000);
    }
    get(file, 0, 8);
    must(write(finished[1], bytes, 1) == 1, "write");
    wait_for(child);
    return 0;
}

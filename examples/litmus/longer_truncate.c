/* ftruncate makes an empty file longer: who reads there in no order with it finds zeros, or the
 * end.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("new", 0);
    must(!ftruncate(file, 100), "ftruncate");
    close(file);
}

int main(void)
{
    close(open_file("new", O_CREAT | O_EXCL));
    pid_t writer = start(first);
    int file = open_file("new", 0);
    (void)!pread(file, bytes, 10, 0);
    close(file);
    wait_for(writer);
    return 0;
}

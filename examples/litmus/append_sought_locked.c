/* Both append by a seek to the end and a write, and hold a lock meanwhile: the size is in order.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static void append(void)
{
    int file = open_file("shared", 0);
    must(flock(file, LOCK_EX) == 0, "flock");
    must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    must(write(file, bytes, 8) == 8, "write");
    must(flock(file, LOCK_UN) == 0, "flock");
    close(file);
}

int main(void)
{
    pid_t children[] = {start(append), start(append)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

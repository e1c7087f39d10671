/* Two children seek, and write at the place, through one descriptor that their parent has opened,
 * and hold a lock of a file of their own from the seek to the write.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

#include <sys/file.h>

static int file;

static void write_at(off_t place)
{
    int lock = open_file("other", 0);
    must(flock(lock, LOCK_EX) == 0, "flock");
    must(lseek(file, place, SEEK_SET) == place, "lseek");
    usleep(1000);
    must(write(file, bytes, 8) == 8, "write");
    must(flock(lock, LOCK_UN) == 0, "flock");
    _exit(0);
}

static void first(void)
{
    write_at(0);
}

static void second(void)
{
    write_at(1024);
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

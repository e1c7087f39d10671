/* Two children seek, and write at the place, through one descriptor that their parent has opened:
 * the position is one, so the seek of one may come between the seek and the write of the other.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static int file;

static void write_at(off_t place)
{
    must(lseek(file, place, SEEK_SET) == place, "lseek");
    usleep(1000);
    must(write(file, bytes, 8) == 8, "write");
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

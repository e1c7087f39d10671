/* Two children seek, and read at the place, through one descriptor that their parent has opened:
 * nobody writes, but which bytes each of them reads is chance.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

static int file;

static void read_at(off_t place)
{
    must(lseek(file, place, SEEK_SET) == place, "lseek");
    usleep(1000);
    must(read(file, bytes, 8) == 8, "read");
    _exit(0);
}

static void first(void)
{
    read_at(0);
}

static void second(void)
{
    read_at(1024);
}

int main(void)
{
    file = open_file("shared", 0);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

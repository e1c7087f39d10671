/* Both append by a seek to the end and a write, one after the other by chance: where each goes
 * depends on a race on the size. Another run may put both at the same place.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none
 * pairs: 0
 * names: lseek write */
#include "litmus.h"

static void append(void)
{
    int file = open_file("shared", 0);
    must(lseek(file, 0, SEEK_END) >= 4096, "lseek");
    must(write(file, bytes, 8) == 8, "write");
    close(file);
}

static void append_later(void)
{
    usleep(200000);
    append();
}

int main(void)
{
    pid_t children[] = {start(append), start(append_later)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

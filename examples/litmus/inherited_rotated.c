/* A log is renamed, and made again by another process: who has inherited the old one writes to
 * another file.
 * posix: none  commit: none  session: none  mpi-io: none */
#include "litmus.h"

static int file;

static void to_old_one(void)
{
    put(file, 0, 8);
}

static void to_new_one(void)
{
    put(open_file("shared", O_CREAT), 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    must(rename("shared", "shared.1") == 0, "rename");
    pid_t one = start(to_old_one), other = start(to_new_one);
    wait_for(one);
    wait_for(other);
    return 0;
}

/* Two processes take turns: each renames a file of its own to the name of the lock, which must not
 * be there yet (RENAME_NOREPLACE).
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void write_alone(const char *own)
{
    int file = open_file("shared", 0);
    make_name(own);
    while (renameat2(AT_FDCWD, own, AT_FDCWD, "lock", RENAME_NOREPLACE))
        usleep(1000);
    put(file, 0, 8);
    must(unlink("lock") == 0, "unlink");
}

static void first(void)
{
    write_alone("first");
}

static void second(void)
{
    write_alone("second");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

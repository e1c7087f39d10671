/* The reader polls where a descriptor stands that both have inherited.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static int file;

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    must(lseek(file, 10, SEEK_SET) == 10, "lseek");
}

static void second(void)
{
    must(lseek(file, 0, SEEK_CUR) == 0, "lseek");
    make_name("asked");
    while (lseek(file, 0, SEEK_CUR) != 10)
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    file = open_file("other", 0);
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

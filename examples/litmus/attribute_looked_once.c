/* The reader looks once at the attributes of the file that it reads, as many programs do: that is
 * no flag.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    make_name("written");
}

static void second(void)
{
    struct stat status;
    wait_for_name("written");
    must(stat("shared", &status) == 0, "stat");
    int file = open_file("shared", 0);
    must(fstat(file, &status) == 0, "fstat");
    get(file, 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

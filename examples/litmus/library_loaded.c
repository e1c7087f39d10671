/* A library is loaded (dlopen) that another process writes: the loader's reads are not seen.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <dlfcn.h>

static void first(void)
{
    put(open_file("library.so", O_CREAT), 0, 8);
    make_name("written");
}

static void second(void)
{
    wait_for_name("written");
    must(dlopen("./library.so", RTLD_NOW) == NULL, "dlopen");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

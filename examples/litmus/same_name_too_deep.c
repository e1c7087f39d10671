/* Two files of one name, in folders whose paths are longer than a path may be.
 * posix: none  commit: none  session: none  mpi-io: none
 * names: none */
#include "litmus.h"

#include <sys/stat.h>

static void go_down(const char *name)
{
    must(mkdir(name, 0700) == 0 && chdir(name) == 0, "mkdir");
}

static void write_deep_down(const char *top)
{
    char name[201];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = 0;
    go_down(top);
    for (int i = 0; i < 25; i++)
        go_down(name);
    put(open_file("data", O_CREAT), 0, 8);
}

static void first(void)
{
    write_deep_down("one");
}

static void second(void)
{
    write_deep_down("two");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

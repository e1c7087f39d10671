/* Memory that each has for itself tells nobody anything.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static volatile int *flag;

static void first(void)
{
    put(open_file("shared", 0), 0, 8);
    *flag = 1;
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    flag = mmap(NULL, sizeof *flag, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(flag != MAP_FAILED, "mmap");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* Two processes share memory, and neither of them is the reader, which nobody tells anything.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void share(void)
{
    void *memory =
        mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(memory != MAP_FAILED, "mmap");
}

static void child(void)
{
    put(open_file("shared", 0), 8, 16);
}

static void first(void)
{
    share();
    pid_t other = start(child);
    put(open_file("shared", 0), 0, 8);
    wait_for(other);
}

static void second(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

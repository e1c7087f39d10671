/* Memory is written back that is of no file: nothing is committed.
 * posix: safe  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

static void child(void)
{
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    put(open_file("shared", 0), 0, 8);
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(memory != MAP_FAILED && msync(memory, 4096, MS_SYNC) == 0, "msync");
    wait_for(start(child));
    return 0;
}

/* A shell runs two programs, one behind the other in a pipeline: the second one reads its input to
 * the end before it reads the file.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    int done = system("sh -c 'cp other shared; echo done' | sh -c 'cat > /dev/null; cat shared'"
                      " > /dev/null");
    must(done == 0, "system");
    return 0;
}

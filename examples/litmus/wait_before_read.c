/* Who has waited for a child knows what it did.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    put(open_file("shared", 0), 0, 8);
}

int main(void)
{
    wait_for(start(child));
    get(open_file("shared", 0), 0, 8);
    return 0;
}

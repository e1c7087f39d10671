/* A child writes through the descriptor that its parent has opened, and whose file has been renamed
 * since; another one writes under the new name, in no order.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static int file;

static void by_descriptor(void)
{
    put(file, 0, 8);
}

static void by_name(void)
{
    put(open_file("moved", 0), 0, 8);
}

int main(void)
{
    file = open_file("shared", 0);
    must(rename("shared", "moved") == 0, "rename");
    pid_t one = start(by_descriptor), other = start(by_name);
    wait_for(one);
    wait_for(other);
    return 0;
}

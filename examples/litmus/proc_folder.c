/* One renames the file that it writes by paths below /proc/self/cwd, the other one opens the new
 * name.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void first(void)
{
    put(open_file("/proc/self/cwd/moved", 0), 0, 8);
}

static void second(void)
{
    put(open_file("moved", 0), 4, 12);
}

int main(void)
{
    must(rename("/proc/self/cwd/shared", "/proc/self/cwd/moved") == 0, "rename");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

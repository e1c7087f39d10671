/* A deleted file is opened again through the descriptor that a thread has of it
 * (/proc/thread-self/fd).
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    make_name("opened");
    wait_for_name("written");
    put(file, 0, 8);
}

static void second(void)
{
    char path[64];
    wait_for_name("opened");
    int file = open_file("shared", 0);
    must(unlink("shared") == 0, "unlink");
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", file);
    put(open_file(path, 0), 4, 12);
    make_name("written");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* A stream of a deleted file, opened by the name of a descriptor: what is written at the
 * descriptor of the stream goes to that file.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    int file = open_file("shared", 0);
    make_name("opened");
    put(file, 0, 8);
}

int main(void)
{
    pid_t other = start(first);
    wait_for_name("opened");
    must(dup2(open_file("shared", 0), 33) == 33, "dup2");
    must(!unlink("shared"), "unlink");
    FILE *stream = fopen("/dev/fd/33", "r+");
    must(stream != NULL, "fopen");
    put(fileno(stream), 0, 8);
    wait_for(other);
    return 0;
}

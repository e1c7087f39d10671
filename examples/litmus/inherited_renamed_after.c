/* A file is renamed behind the fork: the child has its descriptor, and writes where another one
 * writes under the new name, in no order.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

#include <sys/stat.h>

static int file, ends[2];

static void by_descriptor(void)
{
    char byte;
    must(read(ends[0], &byte, 1) == 1, "read");
    put(file, 0, 8);
}

static void by_name(void)
{
    put(open_file("folder_after/file", 0), 0, 8);
}

int main(void)
{
    must(pipe(ends) == 0 && mkdir("folder", 0700) == 0, "pipe");
    file = open_file("folder/file", O_CREAT);
    pid_t one = start(by_descriptor);
    must(rename("folder", "folder_after") == 0, "rename");
    must(write(ends[1], "", 1) == 1, "write");
    pid_t other = start(by_name);
    wait_for(one);
    wait_for(other);
    return 0;
}

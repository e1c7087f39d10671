/* The reader asks for attributes and position as a library does that makes a stream of its own
 * descriptor, and again when it reads: that is no flag.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    wait_for_name("asked");
    must(write(open_file("shared", 0), bytes, 8) == 8, "write");
    make_name("written");
}

static void second(void)
{
    struct stat status;
    int file = open_file("shared", 0);
    must(fstat(file, &status) == 0, "fstat");
    must(lseek(file, 0, SEEK_CUR) == 0, "lseek");
    make_name("asked");
    wait_for_name("written");
    must(lseek(file, 0, SEEK_CUR) == 0, "lseek");
    must(fstat(file, &status) == 0, "fstat");
    must(read(file, bytes, 8) == 8, "read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

/* The reader has made a stream of its own descriptor, and compares the size of the file with where
 * it stands until the file is longer.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <sys/stat.h>

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 4096, 4104);
}

static void second(void)
{
    struct stat status;
    int file = open_file("shared", 0);
    must(fstat(file, &status) == 0, "fstat");
    must(lseek(file, 4096, SEEK_SET) == 4096, "lseek");
    must(fstat(file, &status) == 0 && status.st_size == lseek(file, 0, SEEK_CUR), "fstat");
    make_name("asked");
    while (fstat(file, &status) == 0 && status.st_size < lseek(file, 0, SEEK_CUR) + 8)
        usleep(1000);
    must(read(file, bytes, 8) == 8, "read");
}

int main(void)
{
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}

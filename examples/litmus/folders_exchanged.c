/* Two folders exchange their names: the file that the writer has open is found in the other one.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

#include <sys/stat.h>

static void second(void)
{
    must(truncate("two/file", 0) == 0, "truncate");
}

int main(void)
{
    must(mkdir("one", 0700) == 0 && mkdir("two", 0700) == 0, "mkdir");
    make_name("two/file");
    int file = open_file("one/file", O_CREAT);
    must(renameat2(AT_FDCWD, "one", AT_FDCWD, "two", RENAME_EXCHANGE) == 0, "renameat2");
    pid_t child = start(second);
    put(file, 0, 8);
    wait_for(child);
    return 0;
}

/* The two files change names: who opens the name then has the file that the writer has open.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

static void second(void)
{
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
}

int main(void)
{
    int file = open_file("other", 0);
    must(renameat2(AT_FDCWD, "shared", AT_FDCWD, "other", RENAME_EXCHANGE) == 0, "renameat2");
    pid_t child = start(second);
    put(file, 0, 8);
    wait_for(child);
    return 0;
}

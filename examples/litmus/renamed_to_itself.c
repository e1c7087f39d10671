/* rename between two names of one file does nothing: who opens the one name empties what the other
 * one reads.
 * posix: racy  commit: racy  session: racy  mpi-io: seen */
#include "litmus.h"

static void first(void)
{
    open_file("shared", O_CREAT | O_TRUNC);
    open_file("emptied", O_CREAT);
}

int main(void)
{
    must(link("shared", "again") == 0, "link");
    must(rename("shared", "again") == 0, "rename");
    pid_t writer = start(first);
    wait_for_name("emptied");
    int file = open_file("again", 0);
    (void)!pread(file, bytes, 8, 0);
    close(file);
    wait_for(writer);
    return 0;
}

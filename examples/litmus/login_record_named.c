/* The C library writes a record of a login to a file that the program names, by system calls of its
 * own, which are not seen; somebody reads that.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <utmpx.h>

static void first(void)
{
    struct utmpx record = {.ut_type = USER_PROCESS, .ut_id = "x1"};
    utmpxname("shared");
    setutxent();
    pututxline(&record);
    endutxent();
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 10, 4096);
    close(file);
    wait_for(writer);
    return 0;
}

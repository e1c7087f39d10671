/* exec leaves the file open; the end of the program that comes of it closes it, though that never
 * used it.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    execlp("sh", "sh", "-c", "exit 0", (char *)NULL);
}

int main(void)
{
    wait_for(start(child));
    int file = open_file("shared", 0);
    get(file, 0, 8);
    close(file);
    return 0;
}

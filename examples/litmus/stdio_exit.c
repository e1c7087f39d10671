/* stdio: the bytes leave the buffer when the process exits, which closes the file.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

static void child(void)
{
    fwrite(bytes, 8, 1, fopen("shared", "r+"));
}

int main(void)
{
    wait_for(start(child));
    get(open_file("shared", 0), 0, 8);
    return 0;
}

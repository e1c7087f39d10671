/* freopen without a name opens the file of the stream again, and empties it for "w".
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    FILE *stream = fopen("shared", "r+");
    must(stream != NULL, "fopen");
    must(freopen(NULL, "w", stream) != NULL, "freopen");
}

int main(void)
{
    pid_t writer = start(first);
    int file = open_file("shared", 0);
    (void)!pread(file, bytes, 8, 0);
    close(file);
    wait_for(writer);
    return 0;
}

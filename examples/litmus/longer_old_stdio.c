/* A stream writes behind the end of a file that was there before the run: the bytes between are
 * zeros from then on, and somebody reads them in no order with it.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

static void first(void)
{
    FILE *file = fopen("shared", "r+");
    must(file && !fseek(file, 8192, SEEK_SET) && fputc(0, file) == 0 && !fclose(file), "shared");
}

int main(void)
{
    pid_t writer = start(first);
    int file = open("shared", O_RDONLY);
    usleep(100000);
    (void)!pread(file, bytes, 10, 4096);
    close(file);
    wait_for(writer);
    return 0;
}

/* Burns CPU for a while, touches memory, writes to the disk, sleeps. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    enum { MEMORY = 64 << 20, FILE_SIZE = 8 << 20 };
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    char *memory = malloc(MEMORY);
    memset(memory, 1, MEMORY);
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while (now.tv_sec == 0 && now.tv_nsec < 500000000);
    int file = open("file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(file, memory, FILE_SIZE) != FILE_SIZE || fsync(file) != 0)
        return 1;
    close(file);
    usleep(300000);
    return write(1, "done\n", 5) == 5 ? 0 : 1;
}

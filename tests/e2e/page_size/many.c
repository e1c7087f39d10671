/* More calls than a page has: irregular accesses, in streams and below them, in three phases with
 * pauses; synced now and then. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { PHASES = 3, TIMES = 22000, PLACES = 100000, PAUSE = 20000 /* us */ };

int main(void)
{
    static char bytes[300];
    unsigned seed = 1;
    int file = open("many.out", O_RDWR | O_CREAT | O_TRUNC, 0600);
    FILE *stream = fopen("stream.out", "w");
    for (int i = 0; i < PHASES * TIMES; i++) {
        seed = seed * 1664525 + 1013904223;
        unsigned some = seed >> 16;
        if (pwrite(file, bytes, some % 300 + 1, some % PLACES) < 0)
            return 1;
        if (some % 3 && pread(file, bytes, some % 200 + 1, some % PLACES) < 0)
            return 1;
        if (some % 7 == 1)
            fwrite(bytes, 1, some % 300, stream);
        if (some % 2000 == 7)
            fsync(file);
        if (i % TIMES == TIMES - 1)
            usleep(PAUSE);
    }
    fclose(stream);
    close(file);
    return 0;
}

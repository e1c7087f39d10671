/* A file through a stream whose descriptor is its own, one descriptor with a duplicate, and one
 * that is open at the end; and a file that is opened and closed so often that calls repeat. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMES = 300, BYTES = 6000 };

int main(void)
{
    static char bytes[BYTES];
    FILE *stream = fopen("streams.out", "w");
    fwrite(bytes, 1, BYTES, stream);
    fclose(stream);
    int file = open("streams.out", O_RDWR), other = dup(file);
    close(file);
    if (write(other, bytes, BYTES) < 0)
        return 1;
    for (int i = 0; i < TIMES; i++) {
        int again = open("again.out", O_WRONLY | O_CREAT, 0600);
        if (write(again, bytes, BYTES) < 0)
            return 1;
        close(again);
    }
    return 0;
}

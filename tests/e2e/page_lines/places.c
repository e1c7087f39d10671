/* One function that is called at three lines, through a stream at one of them. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { TIMES = 40, BYTES = 5000 };

static char bytes[BYTES];

__attribute__((noinline)) static void put(int file)
{
    for (int i = 0; i < TIMES; i++)
        if (write(file, bytes, BYTES) < 0)
            return;
    fsync(file);
}

int main(void)
{
    int file = open("places.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    put(file);
    if (write(file, bytes, BYTES) < 0)
        return 1;
    FILE *stream = fdopen(file, "w");
    fwrite(bytes, 1, BYTES, stream);
    fclose(stream);
    return 0;
}

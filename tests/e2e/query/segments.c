/* Writes: one of 10 bytes, in the region "solve" three of 1000 bytes and a read, then one of 10. */
#include <fathom/mark.h>

#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    static char bytes[1000];
    int fd = open("out", O_RDWR | O_CREAT, 0644);
    int good = pwrite(fd, bytes, 10, 0) == 10;
    fth_mark_begin("solve");
    for (int i = 0; i < 3; i++)
        good &= pwrite(fd, bytes, 1000, 1000 * i) == 1000;
    good &= pread(fd, bytes, 500, 0) == 500;
    fth_mark_end("solve");
    good &= pwrite(fd, bytes, 10, 0) == 10;
    return !good;
}

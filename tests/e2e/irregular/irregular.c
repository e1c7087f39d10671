/* Reads and writes without a rule: so many, each of them one or the other, anywhere. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    unsigned long random = 0x9E3779B97F4A7C15u;
    char bytes[8] = {0};
    long calls = count > 1 ? atol(arguments[1]) : 0;
    int fd = open("irregular.bin", O_RDWR | O_CREAT, 0600);
    for (long i = 0; i < calls; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        off_t offset = (off_t)(random % (1 << 24));
        if ((random >> 40 & 1 ? pread(fd, bytes, 1 + (random >> 33) % 8, offset)
                              : pwrite(fd, bytes, 8, offset)) < 0)
            return 1;
    }
    return unlink("irregular.bin");
}

/* Writes few sizes in no order, with descriptors that are none in between. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    static const char block[140];
    unsigned state = 1;
    int file = open("mixed", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 3000; i++) {
        state = state * 1103515245u + 12345u;
        size_t size = 130 + (state >> 16) % 4;
        if (write(file, block, size) != (ssize_t)size)
            return 1;
    }
    return close(file) || close(-1) != -1;
}

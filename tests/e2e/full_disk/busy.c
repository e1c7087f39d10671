/* busy CALLS: so many writes at random places, so that each takes room in the trace, and nothing
 * else. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int fd = open("busy.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char bytes[64] = "";
    for (long left = count > 1 ? atol(arguments[1]) : 0; left > 0; left--)
        if (pwrite(fd, bytes, 1 + (size_t)rand() % 64, rand() % (1 << 20)) < 0)
            return 1;
    return 0;
}

/* Reads its standard input to the end, in one call after the other, and copies it to a file that it
 * opened before. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    char bytes[64];
    int file = open(arguments[1], O_CREAT | O_WRONLY | O_TRUNC, 0600);
    if (count < 2 || file < 0)
        return 1;
    for (ssize_t got; (got = read(0, bytes, sizeof bytes)) != 0;)
        if (got < 0 || write(file, bytes, (size_t)got) != got) {
            perror("reader");
            return 2;
        }
    return 3;
}

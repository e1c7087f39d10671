/* An intermediate result that is needed later.
 *
 *     scratch bad      writes it to a file, reads it back and deletes the file
 *     scratch mended   keeps it in memory
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 8 << 20 };

int main(int argc, char **argv)
{
    char *result = calloc(1, SIZE);
    if (argc < 2 || strcmp(argv[1], "mended") != 0) {
        int fd = open("scratch", O_CREAT | O_RDWR, 0600);
        if (write(fd, result, SIZE) != SIZE || pread(fd, result, SIZE, 0) != SIZE)
            return 1;
        close(fd);
        unlink("scratch");
    }
    int status = result[SIZE - 1];
    free(result);
    return status;
}

/* steps NUMBER NAME...: writes each file in so many steps, and reads the first one once. Files of
 * many steps are synced. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    char bytes[512] = "";
    for (int file = 2; file < count; file++) {
        int fd = open(arguments[file], O_RDWR | O_CREAT | O_TRUNC, 0600);
        for (int i = 0; i < atoi(arguments[1]); i++)
            if (write(fd, bytes, sizeof bytes) != sizeof bytes)
                exit(1);
        if (file == 2 && pread(fd, bytes, sizeof bytes, 0) != sizeof bytes)
            exit(1);
        if (atoi(arguments[1]) > 50)
            fdatasync(fd);
        close(fd);
        usleep(20000);
    }
    return 0;
}

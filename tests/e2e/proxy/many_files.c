/* many_files FILES: one process writes many small files, and reads each of them again. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int files = count > 1 ? atoi(arguments[1]) : 100;
    char path[64], text[512] = "";
    mkdir("many", 0755);
    for (int i = 0; i < files; i++) {
        snprintf(path, sizeof path, "many/part.%05d", i);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int piece = 0; piece < 4; piece++)
            if (write(fd, text, sizeof text) < 0)
                return 1;
        fsync(fd);
        close(fd);
    }
    for (int i = 0; i < files; i++) {
        struct stat status;
        snprintf(path, sizeof path, "many/part.%05d", i);
        if (stat(path, &status))
            return 1;
        int fd = open(path, O_RDONLY);
        while (read(fd, text, sizeof text) > 0)
            ;
        close(fd);
        unlink(path);
    }
    return rmdir("many") != 0;
}

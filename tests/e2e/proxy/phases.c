/* phases: a project's folder; five steps, each of which writes a file of its own; a setup of five
 * lines, which has nothing to do with the steps, and a look at the five files. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char path[32], line[64] = "";
    mkdir("user4711", 0755);
    int secret = open("user4711/in99", O_WRONLY | O_CREAT, 0644);
    close(secret);
    int setup = open("setup", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 5; i++)
        if (write(setup, line, sizeof line) < 0)
            return 1;
    close(setup);
    for (int step = 0; step < 5; step++) {
        snprintf(path, sizeof path, "step.%d", step);
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        for (int i = 0; i < 9; i++)
            if (write(fd, line, 32) < 0)
                return 1;
        close(fd);
    }
    for (int step = 0; step < 5; step++) {
        snprintf(path, sizeof path, "step.%d", step);
        int fd = open(path, O_RDONLY);
        if (read(fd, line, 32) != 32)
            return 1;
        close(fd);
    }
    return 0;
}

/* Two processes delete one file: in the run the slow one comes first, as the other one waits. In a
 * replay without gaps that one comes first. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2], file = open("shared", O_WRONLY | O_CREAT, 0600);
    char byte = 0;
    close(file);
    if (pipe(ends))
        return 1;
    pid_t waiting = fork();
    if (!waiting) {
        if (read(ends[0], &byte, 1) != 1)
            _exit(1);
        _exit(remove("shared") == 0);
    }
    file = open("busy", O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 3000; i++)
        pwrite(file, "busy", 4, 4 * i);
    close(file);
    return remove("shared") || write(ends[1], &byte, 1) != 1 || waitpid(waiting, NULL, 0) != waiting;
}

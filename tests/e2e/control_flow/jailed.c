/* Changes its root to an empty folder, works there, forks there. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_file(const char *name)
{
    int file = open(name, O_CREAT | O_WRONLY, 0644);
    for (int i = 0; i < 1000; i++)
        if (pwrite(file, "abcd", 4, i * 4) != 4)
            perror(name);
    close(file);
}

int main(void)
{
    mkdir("jail", 0755);
    write_file("outside");
    if (chroot("jail") != 0 || chdir("/") != 0)
        return 1;
    write_file("/inside");
    if (fork() == 0) {
        write_file("/child");
        _exit(0);
    }
    wait(NULL);
    puts(access("/bin/sh", F_OK) == 0 ? "not in jail" : "in jail");
    return 0;
}

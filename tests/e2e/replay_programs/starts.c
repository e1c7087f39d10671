/* Has a stream of its own in use when it starts programs, and a child that works elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    if (fprintf(stderr, "begin\n") != 6 || system("head -c 5000 /dev/zero >zeros") != 0 ||
        mkdir("below", 0755) != 0)
        return 1;
    pid_t child = vfork();
    if (!child) {
        if (chdir("below"))
            _exit(1);
        execl("/bin/sh", "sh", "-c", "head -c 3000 /dev/zero >zeros", (char *)NULL);
        _exit(1);
    }
    FILE *above = fopen("above", "w");
    return waitpid(child, NULL, 0) != child || !above || fputs("above\n", above) < 0 ||
           fclose(above);
}

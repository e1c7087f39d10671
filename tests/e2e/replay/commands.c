/* Runs commands one after the other in each way that libc has; each reads what the one before has
 * written. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void check(int is_right)
{
    if (!is_right)
        abort();
}

static pid_t copy(const char *from, const char *to)
{
    pid_t child;
    char *words[] = {"dd", (char *)from, (char *)to, "status=none", NULL};
    check(posix_spawnp(&child, "dd", NULL, NULL, words, environ) == 0);
    return child;
}

int main(void)
{
    int status;
    struct rusage usage;
    siginfo_t ended;
    check(system("cat in >a1") == 0);
    check(pclose(popen("cat a1 a1 >a2", "w")) == 0);
    check(waitpid(copy("if=a2", "of=a3"), &status, 0) > 0);
    check(waitid(P_PID, (id_t)copy("if=a3", "of=a4"), &ended, WEXITED) == 0);
    (void)copy("if=a4", "of=a5");
    check(wait3(&status, 0, &usage) > 0);
    check(wait4(copy("if=a5", "of=a6"), &status, 0, &usage) > 0);
    pid_t child = fork();
    if (child == 0) {
        check(system("cat a6 a1 >a7") == 0);
        _exit(0);
    }
    check(wait(&status) == child);
    check(system("cat a7 a7 >a8; cat a8 >a9; wc -c <a9 >a10") == 0);
    return 0;
}

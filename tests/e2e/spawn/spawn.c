/* Starts a child in every way there is; each leaves a file that names the way. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void leave_file(const char *name)
{
    int fd = open(name, O_CREAT | O_WRONLY, 0644);
    assert(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name));
    close(fd);
}

static void await(pid_t child)
{
    int status;
    assert(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* exec gives this program again, which then leaves the file. */
static char *find_self(void)
{
    static char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert(length > 0);
    return self;
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        leave_file(argv[1]);
        return 0;
    }
    pid_t child = fork();
    if (child == 0) {
        leave_file("fork");
        _exit(0);
    }
    await(child);

    child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            leave_file("grandchild");
            exit(0);
        }
        await(grandchild);
        exit(0);
    }
    await(child);

    char *self = find_self();
    child = fork();
    if (child == 0) {
        leave_file("before-exec");
        execl(self, self, "execl", (char *)NULL);
        _exit(1);
    }
    await(child);

    child = vfork();
    if (child == 0) {
        execv(self, (char *[]){self, "vfork", NULL});
        _exit(1);
    }
    await(child);

    child = fork();
    if (child == 0) {
        execvpe(self, (char *[]){self, "execvpe", NULL}, environ);
        _exit(1);
    }
    await(child);

    assert(posix_spawn(&child, self, NULL, NULL, (char *[]){self, "posix_spawn", NULL}, environ) ==
           0);
    await(child);

    assert(system("echo system >system") == 0);

    FILE *pipe = popen("cat >popen", "w");
    assert(pipe && fputs("popen", pipe) >= 0 && pclose(pipe) == 0);

    /* The parent still works as before. */
    leave_file("parent");
    return 0;
}

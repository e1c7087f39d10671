/* Starts a child in every way there is; each leaves a file that names the way. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

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

static int leave(void *name)
{
    leave_file(name);
    return 0;
}

/* In the memory of the parent. */
static int become(void *name)
{
    char *self = find_self();
    leave_file("borrowed");
    execv(self, (char *[]){self, name, NULL});
    return 1;
}

static void make_clones(void)
{
    enum { STACK = 1 << 18 };
    char *stack = malloc(STACK);
    assert(stack);
    await(clone(leave, stack + STACK, SIGCHLD, "clone"));
    await(clone(leave, stack + STACK, CLONE_VFORK | SIGCHLD, "clone-waits"));
    await(clone(become, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, "clone-borrows"));
    free(stack);
}

static void use_terminals(void)
{
    int master, slave;
    pid_t child = forkpty(&master, NULL, NULL, NULL);
    if (child == 0) {
        assert(isatty(STDIN_FILENO) && getsid(0) == getpid());
        leave_file("forkpty");
        _exit(0);
    }
    await(child);
    close(master);
    assert(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    child = fork();
    if (child == 0) {
        assert(login_tty(slave) == 0 && isatty(STDOUT_FILENO) && getsid(0) == getpid());
        leave_file("login_tty");
        _exit(0);
    }
    await(child);
    assert(login_tty(-1) == -1);
    close(master);
    close(slave);
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

    child = _Fork();
    if (child == 0) {
        leave_file("_Fork");
        _exit(0);
    }
    await(child);
    make_clones();
    use_terminals();

    /* The parent still works as before. */
    leave_file("parent");
    return 0;
}

/* System calls by their numbers: each result as syscall returns it, a long, with errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static long report(const char *what, long result)
{
    printf("%s %ld %d\n", what, result, result == -1 ? errno : 0);
    errno = 0;
    return result;
}

static void vectors(long file)
{
    char front[3] = "abc", rest[5] = "defgh";
    const struct iovec parts[2] = {{front, sizeof front}, {rest, sizeof rest}};
    report("pwritev2", syscall(SYS_pwritev2, file, parts, 2, 100L, 0L, 0));
    report("pwritev2 at the position", syscall(SYS_pwritev2, file, parts, 2, -1L, -1L, RWF_SYNC));
    report("preadv2", syscall(SYS_preadv2, file, parts, 1, 102L, 0L, 0));
    report("preadv2 of no file", syscall(SYS_preadv2, 77, parts, 1, 0L, 0L, 0));
    printf("%.3s\n", front);
}

static void maps(long file)
{
    long map = syscall(SYS_mmap, 0L, 8192L, (long)PROT_READ, (long)MAP_SHARED, file, 4096L);
    report("mmap", map != -1);
    report("mmap of no file",
           syscall(SYS_mmap, 0L, 4096L, (long)PROT_READ, (long)MAP_SHARED, 77L, 0L));
    map = syscall(SYS_mremap, map, 8192L, 16384L, (long)MREMAP_MAYMOVE, 0L);
    report("mremap", map != -1);
    report("munmap", syscall(SYS_munmap, map, 16384L));
}

/* What the child of such a call does is its own, and its program is recorded without an
 * environment, too. */
static void copies(void)
{
    uint64_t asked[8] = {[4] = SIGCHLD};
    char *arguments[] = {"cat", "/dev/null", "made", NULL}, *environment[] = {NULL};
    int status;
    report("execve of nothing", syscall(SYS_execve, "missing", arguments, environment));
    report("execveat of nothing", syscall(SYS_execveat, 77, "missing", arguments, environment, 0));
    report("clone3 too short", syscall(SYS_clone3, asked, 8));
    fflush(stdout);
    for (int by_clone3 = 0; by_clone3 < 2; by_clone3++) {
        long child = by_clone3 ? syscall(SYS_clone3, asked, sizeof asked)
                               : syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child < 0)
            printf("no child: %d\n", errno);
        if (child == 0) {
            fchmod(3, by_clone3 ? 0604 : 0602);
            syscall(SYS_execve, "/bin/cat", arguments, environment);
            _exit(1);
        }
        if (waitpid((pid_t)child, &status, 0) != child)
            printf("no end: %d\n", errno);
        printf("child %d\n", status);
        fflush(stdout);
    }
}

int main(void)
{
    struct open_how how = {.flags = O_RDWR | O_CREAT, .mode = 0640, .resolve = RESOLVE_BENEATH};
    struct stat facts;
    long file = report("openat2", syscall(SYS_openat2, AT_FDCWD, "made", &how, sizeof how));
    how.resolve = 0;
    how.flags = O_RDWR;
    how.mode = 0;
    report("openat2 of nothing", syscall(SYS_openat2, AT_FDCWD, "missing", &how, sizeof how));
    report("openat2 of no memory", syscall(SYS_openat2, AT_FDCWD, "made", NULL, sizeof how));
    report("openat2 too short", syscall(SYS_openat2, AT_FDCWD, "made", &how, 1));
    vectors(file);
    maps(file);
    copies();
    report("mkdir", syscall(SYS_mkdirat, AT_FDCWD, "folder", 0755));
    report("openat", syscall(SYS_openat, AT_FDCWD, "missing", O_RDONLY));
    report("fcntl", syscall(SYS_fcntl, file, F_DUPFD, 20));
    report("close_range", syscall(SYS_close_range, 20, 20, 0));
    report("close", syscall(SYS_close, 20));
    report("newfstatat", syscall(SYS_newfstatat, AT_FDCWD, "made", &facts, 0));
    printf("%ld\n", (long)facts.st_size);
    report("chdir", syscall(SYS_chdir, "folder"));
    report("openat in it", syscall(SYS_openat, AT_FDCWD, "inner", O_CREAT | O_RDWR, 0600));
    how.resolve = RESOLVE_IN_ROOT;
    report("openat2 from the root", syscall(SYS_openat2, AT_FDCWD, "/inner", &how, sizeof how));
    report("semget", syscall(SYS_semget, 12345, 1, 0));
    return 0;
}

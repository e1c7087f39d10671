/* Calls that fail or do less than they were asked to, a case for each word:
 *
 *     short, pshort    a limit cuts a write, and the program does not go on
 *     resumed          it goes on where each write ended, after the limit is raised
 *     pipe             a pipe takes a part only
 *     appeared         a file is looked for until another process has made it
 *     looked           the same name is looked for now and then, between other work
 *     spinning         a lock is asked for again and again while another process holds it
 *     unaligned        a descriptor with O_DIRECT refuses what is not aligned
 *     realigned        the program writes without O_DIRECT when that is refused
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALL = 3 << 20, LIMIT = 1 << 20 };
static char bytes[ALL];

static void limit(rlim_t most)
{
    struct rlimit now;
    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = most;
    setrlimit(RLIMIT_FSIZE, &now);
}

static void write_short(const char *how)
{
    int file = open("out", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    signal(SIGXFSZ, SIG_IGN);
    limit(LIMIT);
    ssize_t written = *how == 'p' ? pwrite(file, bytes, ALL, 100) : write(file, bytes, ALL);
    for (rlim_t more = 2 * LIMIT; *how != 's' && *how != 'p' && written > 0 && written < ALL; more += LIMIT) {
        limit(more);
        ssize_t next = write(file, bytes, (size_t)(ALL - written));
        written += next > 0 ? next : ALL;
    }
    close(file);
}

static void fill_pipe(void)
{
    int ends[2];
    if (pipe(ends))
        exit(1);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    if (write(ends[1], bytes, ALL) >= ALL)
        exit(1);
}

static void look(int others)
{
    int tries = 0;
    if (!fork()) {
        usleep(300000);
        close(open("ready", O_CREAT | O_WRONLY, 0644));
        _exit(0);
    }
    while (access("ready", F_OK)) {
        for (int i = 0; i < others; i++)
            close(open("refused.c", O_RDONLY));
        usleep(++tries ? 3000 : 0);
    }
    wait(NULL);
}

static void spin(void)
{
    int file = open("lock", O_CREAT | O_RDWR, 0644);
    flock(file, LOCK_EX);
    if (!fork()) {
        int own = open("lock", O_RDWR);
        while (flock(own, LOCK_EX | LOCK_NB))
            usleep(3000);
        _exit(0);
    }
    usleep(300000);
    flock(file, LOCK_UN);
    wait(NULL);
}

static void write_direct(int again)
{
    int file = open("direct", O_CREAT | O_WRONLY | O_DIRECT, 0644);
    if (file < 0)
        exit(77);
    for (int i = 0; i < 30; i++) {
        if (pwrite(file, bytes + 1, 1000, 1000 * i) > 0)
            exit(77); /* a file system to which this does not matter */
        if (!again)
            continue;
        fcntl(file, F_SETFL, 0);
        if (pwrite(file, bytes + 1, 1000, 1000 * i) != 1000)
            exit(1);
        break;
    }
}

int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];
    if (strstr("short pshort resumed", how))
        write_short(how);
    else if (!strcmp(how, "pipe"))
        fill_pipe();
    else if (!strcmp(how, "appeared") || !strcmp(how, "looked"))
        look(*how == 'l' ? 10 : 0);
    else if (!strcmp(how, "spinning"))
        spin();
    else
        write_direct(!strcmp(how, "realigned"));
    return 0;
}

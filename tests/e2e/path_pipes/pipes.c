/* pipes polled|late|later|computed|full|printed: two processes that work together through a pipe or
 * a pair of sockets. What is called work is sleeping, which is not recorded.
 *
 * polled, late, later: the first asks the second, which works, and waits for the answer in poll;
 * `late`, `later`: it works itself, less or more, before it reads that. computed: it works longer
 * than the second, and never waits. full: it writes faster than the second reads, but once.
 * printed: the first writes much to the standard output; the second does nothing. */
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 50 };

static void answer(int socket, unsigned work)
{
    char byte;
    while (read(socket, &byte, 1) == 1) {
        usleep(work);
        if (write(socket, &byte, 1) != 1)
            _exit(1);
    }
}

static void ask(int socket, unsigned work, int polls)
{
    char byte = 1;
    struct pollfd ready = {.fd = socket, .events = POLLIN};
    for (int i = 0; i < TURNS; i++) {
        if (write(socket, &byte, 1) != 1 || (polls && poll(&ready, 1, -1) != 1))
            _exit(1);
        if (work)
            usleep(work);
        if (read(socket, &byte, 1) != 1)
            _exit(1);
    }
}

static char bytes[1 << 16];

static void take_slowly(int pipe)
{
    ssize_t count;
    while ((count = read(pipe, bytes, sizeof bytes)) > 0)
        usleep((unsigned)count / 8);
}

static void fill(int pipe)
{
    for (int i = 0; i < TURNS; i++) {
        if (i == TURNS - 2)
            usleep(50000);
        if (write(pipe, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
            _exit(1);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "printed") == 0) {
        if (fork() == 0)
            _exit(0);
        for (int i = 0; i < 4; i++)
            if (write(1, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
                return 1;
        wait(NULL);
        return 0;
    }
    int full = strcmp(what, "full") == 0, ends[2];
    if (full ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    if (fork() == 0) {
        close(ends[full ? 1 : 0]);
        if (full)
            take_slowly(ends[0]);
        else
            answer(ends[1], strcmp(what, "computed") == 0 ? 2000 : 6000);
        _exit(0);
    }
    close(ends[full ? 0 : 1]);
    if (full)
        fill(ends[1]);
    else if (strcmp(what, "computed") == 0)
        ask(ends[0], 10000, 0);
    else
        ask(ends[0], strcmp(what, "late") == 0 ? 3000 : strcmp(what, "later") == 0 ? 8000 : 0, 1);
    close(ends[full ? 1 : 0]);
    wait(NULL);
    return 0;
}

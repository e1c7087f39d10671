/* Messages through a pair of local sockets: what there is to measure without MPI. A stream of bytes
 * has no empty messages, so one byte stands for none. */
#include "measure/network_speed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct sockets {
    struct fth_link link;
    int socket;
};

static int fail(struct fth_error **error)
{
    return fth_fail_errno(error, "the process at the other end of the sockets is gone");
}

static int send_all(struct fth_link *link, const void *bytes, size_t count,
                    struct fth_error **error)
{
    int socket = ((struct sockets *)link)->socket;
    for (size_t done = 0, all = count ? count : 1; done < all;) {
        ssize_t sent = send(socket, (const char *)bytes + done, all - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return fail(error);
        done += sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

static int receive_all(struct fth_link *link, void *bytes, size_t count, struct fth_error **error)
{
    int socket = ((struct sockets *)link)->socket;
    for (size_t done = 0, all = count ? count : 1; done < all;) {
        ssize_t got = recv(socket, (char *)bytes + done, all - done, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            if (got == 0)
                errno = EPIPE;
            return fail(error);
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

/* Whatever can be sent or received, is: both ends send first, and sockets do not hold
 * everything. */
static int exchange_all(struct fth_link *link, const void *out, void *in, size_t count,
                        struct fth_error **error)
{
    struct pollfd wait = {.fd = ((struct sockets *)link)->socket};
    size_t all = count ? count : 1, sent = 0, got = 0;
    while (sent < all || got < all) {
        ssize_t moved = 0;
        if (sent < all)
            moved =
                send(wait.fd, (const char *)out + sent, all - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (moved < 0 && errno != EAGAIN && errno != EINTR)
            return fail(error);
        sent += moved > 0 ? (size_t)moved : 0;
        ssize_t came = 0;
        if (got < all) {
            came = recv(wait.fd, (char *)in + got, all - got, MSG_DONTWAIT);
            if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
                return fail(error);
            got += came > 0 ? (size_t)came : 0;
        }
        if (moved > 0 || came > 0)
            continue;
        wait.events = (short)((sent < all ? POLLOUT : 0) | (got < all ? POLLIN : 0));
        poll(&wait, 1, -1);
    }
    return 0;
}

/* The other process ends with the sockets, so it never outlives us. */
static void serve(int socket, char *buffers) __attribute__((noreturn));
static void serve(int socket, char *buffers)
{
    struct sockets sockets = {
        {send_all, receive_all, exchange_all, buffers, buffers + FTH_MOST_MESSAGE}, socket};
    _exit(fth_measure_serve_network(&sockets.link, NULL) ? 1 : 0);
}

int fth_measure_sockets(struct fth_trials *trials, int64_t budget, struct fth_progress *progress,
                        struct fth_error **error)
{
    int pair[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return fth_fail_errno(error, "cannot make a pair of sockets");
    char *buffers = mmap(NULL, (size_t)2 * FTH_MOST_MESSAGE, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    pid_t child = buffers == MAP_FAILED ? -1 : fork();
    if (child < 0) {
        close(pair[0]);
        close(pair[1]);
        return fth_fail_errno(error, "cannot start a second process for messages");
    }
    if (child == 0) {
        close(pair[0]);
        serve(pair[1], buffers);
    }
    close(pair[1]);
    struct sockets sockets = {
        {send_all, receive_all, exchange_all, buffers, buffers + FTH_MOST_MESSAGE}, pair[0]};
    int result =
        fth_measure_network(trials, "local sockets", &sockets.link, budget, progress, error);
    close(pair[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    munmap(buffers, (size_t)2 * FTH_MOST_MESSAGE);
    return result;
}

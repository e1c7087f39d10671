/* The loop of a server. Where clients ask often, it looks into their mailboxes and seldom at
 * sockets; where they do not, it sleeps until a socket has something. */
#include "fs/server/node_server.h"

#include "fs/server/connections.h"
#include "fs/server/stage_out.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum {
    SOCKETS_EVERY = 64, /* rounds */
    IDLE_ROUNDS = 20,   /* without a request, before it sleeps */
    COPIES_MS = 100,    /* copies and lost nodes are looked after so often */
};

/* At most until other servers are to be looked after. */
static int longest(const struct fth_connections *connections, int wait)
{
    const struct fth_parts *parts = connections->spread.parts;
    int most = parts ? fth_peers_wait(parts->peers) : -1;
    if (parts && parts->copies && (most < 0 || most > COPIES_MS))
        most = COPIES_MS;
    return wait < 0 || (most >= 0 && most < wait) ? most : wait;
}

static int look_at_sockets(struct fth_connections *connections, int wait, struct fth_error **error)
{
    const struct fth_parts *parts = connections->spread.parts;
    wait = longest(connections, wait);
    if (parts)
        fth_peers_send(parts->peers);
    if (poll(connections->polled, FTH_POLLED_FIRST + connections->count, wait) < 0) {
        if (errno != EINTR)
            return fth_fail_errno(error, "the server cannot wait for clients");
        return 0;
    }
    if (!connections->polled[FTH_POLLED_SIGNALS].revents)
        fth_connections_serve(connections);
    if (parts)
        fth_peers_serve(parts->peers);
    return 0;
}

/* Who asked before it saw that the server sleeps is seen here. */
static int sleep_until_asked(struct fth_connections *connections, struct fth_error **error)
{
    fth_connections_sleep(connections, true);
    bool is_asked = fth_connections_look(connections) > 0;
    int failed = look_at_sockets(connections, is_asked ? 0 : -1, error);
    fth_connections_sleep(connections, false);
    return failed;
}

/* What clients ask other servers for comes by sockets alone: they are looked at in each round, and
 * nothing else can come while all clients wait for it. Returns how much has come. */
static size_t look_at_peers(struct fth_connections *connections)
{
    const struct fth_parts *parts = connections->spread.parts;
    if (!parts)
        return 0;
    if (parts->copies)
        fth_copies_step(parts->copies);
    fth_peers_send(parts->peers);
    return (size_t)fth_peers_serve(parts->peers);
}

static bool has_signal(const struct fth_connections *connections)
{
    return connections->polled[FTH_POLLED_SIGNALS].revents != 0;
}

static int answer_until_stopped(struct fth_connections *connections, struct fth_error **error)
{
    unsigned idle = 0, rounds = 0;
    while (!connections->requests->stop && !has_signal(connections)) {
        size_t found = fth_connections_look(connections) + look_at_peers(connections);
        idle = found ? 0 : idle + 1;
        fth_published_shorten(connections->requests->published);
        bool writes = !connections->requests->stop && fth_spread_step(&connections->spread);
        if (connections->requests->stop)
            break;
        bool sleeps = !writes && (idle > IDLE_ROUNDS || !fth_connections_may_ask(connections));
        if (sleeps && sleep_until_asked(connections, error))
            return -1;
        bool looks = !sleeps && (writes || ++rounds % SOCKETS_EVERY == 0);
        if (looks && look_at_sockets(connections, 0, error))
            return -1;
        if (sleeps)
            idle = 0;
        else if (idle && !writes)
            sched_yield();
    }
    return 0;
}

static void give_up_what_is_gone(struct fth_connections *connections)
{
    fth_spread_begin(&connections->spread);
    while (connections->spread.giving_up) {
        const struct fth_parts *parts = connections->spread.parts;
        struct pollfd polled = {.fd = fth_peers_file(parts->peers), .events = POLLIN};
        if (parts->copies)
            fth_copies_step(parts->copies);
        fth_peers_send(parts->peers);
        poll(&polled, 1, longest(connections, COPIES_MS));
        fth_peers_serve(parts->peers);
    }
}

static int serve(struct fth_connections *connections, struct fth_published *published,
                 struct fth_error **error)
{
    struct fth_stage_out done = {.files = 0};
    if (answer_until_stopped(connections, error))
        return -1;
    while (!connections->requests->stop && fth_spread_step(&connections->spread)) {
    }
    if (connections->requests->stop)
        return 1;
    /* what other nodes have is not for one server to write: it all stays for the next one */
    return connections->spread.parts
               ? 0
               : fth_stage_out(published, connections->instance,
                               &(struct fth_stage_out_of){.at_end = true}, &done, error);
}

/* A client has cut a file off that the server has mapped: its pages are empty from now on, which
 * the checks of what is in them find. */
static void give_empty_page(int number, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *at = (void *)((uintptr_t)info->si_addr & ~(page - 1));
    (void)context;
    if (info->si_code != BUS_ADRERR ||
        mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED)
        signal(number, SIG_DFL); /* the access is repeated, and ends the server */
}

static int open_signals(struct fth_error **error)
{
    sigset_t set;
    const struct sigaction on_cut = {.sa_sigaction = give_empty_page, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &on_cut, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too long for the user's limits is an error */
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int file = signalfd(-1, &set, SFD_CLOEXEC);
    return file < 0 ? fth_fail_errno(error, "the server cannot wait for signals") : file;
}

/* As many connections as the system allows. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int begin_copies(struct fth_copies *copies, struct fth_parts *parts, int network,
                        fth_copies_take_over *take_over, struct fth_error **error)
{
    if (fth_copies_begin(copies, parts->requests, parts->peers, network, take_over, error))
        return -1;
    parts->copies = copies;
    parts->requests->copies = copies;
    return 0;
}

int fth_node_server_run(const struct fth_fs_instance *instance, int listening, int network,
                        fth_copies_take_over *take_over, struct fth_error **error)
{
    struct fth_published published;
    struct fth_parts parts = {.peers = NULL};
    struct fth_copies copies;
    struct fth_requests requests = {.instance = instance, .published = &published};
    struct fth_connections connections = {.instance = instance, .requests = &requests};
    int signals = open_signals(error), failed = -1;
    raise_descriptors();
    bool is_spread = network >= 0;
    if (signals >= 0 &&
        !fth_published_open(&published, instance->folder, instance->under, is_spread, error)) {
        failed = is_spread ? fth_parts_begin(&parts, &requests, network, error) : 0;
        if (!failed && is_spread && instance->copies > 1)
            failed = begin_copies(&copies, &parts, network, take_over, error);
        fth_connections_begin(&connections, listening, signals, is_spread ? &parts : NULL);
        if (!failed)
            give_up_what_is_gone(&connections);
        failed = failed ? failed : serve(&connections, &published, error);
        if (parts.copies)
            fth_copies_end(parts.copies);
        if (parts.peers)
            fth_parts_end(&parts);
        fth_connections_end(&connections);
        fth_buffer_file_close_all(&requests.buffers);
        fth_published_close(&published);
    }
    if (signals >= 0)
        close(signals);
    close(listening);
    return failed;
}

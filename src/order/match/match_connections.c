/* Which two sockets are the ends of one connection. A process reports where each of its sockets
 * leads. For TCP these are both addresses: the other end reports them in reverse. For a Unix
 * socket it is the number of the other one. If that did not exist yet (the other end had not
 * been accepted, or was closed before any data came), the process at the other end and the name
 * of the listening socket must suffice: they identify the socket if that process has only one
 * such socket left. Two connections that look alike (a port that was reused at once, hosts with
 * one name) are not matched: it is unknown whose bytes these are. */
#include "order/match/match_connections.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

struct socket {
    uint32_t host, proc;
    const char *name, *text;
    const char *other; /* the name of the other end, once it is known, and its host */
    uint32_t other_host;
    bool packets;
};

struct sockets {
    struct socket *all;
    size_t count;
};

/* ---- what a process records ---- */

static const char *behind(const char *text, const char *beginning)
{
    size_t length = strlen(beginning);
    return text && strncmp(text, beginning, length) == 0 ? text + length : NULL;
}

/* "1234 of 77 at NAME", of a Unix socket. */
static const char *local_part(const struct socket *socket)
{
    const char *local = behind(socket->text, "unix to ");
    return local ? local : behind(socket->text, "packets to ");
}

static uint64_t peer_of(const struct socket *socket)
{
    const char *local = local_part(socket);
    return local ? strtoull(local, NULL, 10) : 0;
}

static int64_t reported_process(const struct socket *socket)
{
    const char *local = local_part(socket), *of = local ? strstr(local, " of ") : NULL;
    return of ? strtoll(of + 4, NULL, 10) : 0;
}

static const char *reported_place(const struct socket *socket)
{
    const char *local = local_part(socket), *at = local ? strstr(local, " at ") : NULL;
    return at ? at : "";
}

static int by_name(const void *one, const void *other)
{
    const struct socket *a = one, *b = other;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    int order = strcmp(a->name, b->name);
    if (order)
        return order;
    bool knows = peer_of(a) != 0;
    return knows == (peer_of(b) != 0) ? strcmp(a->text, b->text) : knows ? -1 : 1;
}

/* Each once, however many processes have it: with the text that says most. */
static struct sockets sockets_of(const struct fth_matching *matching)
{
    struct sockets sockets = {NULL, 0};
    size_t kept = 0;
    for (uint32_t i = 0; i < matching->process_count; i++) {
        const struct fth_order_operations *process = &matching->processes[i];
        for (uint32_t k = 0; k < process->pipes.count; k++) {
            if (!process->pipes.all[k].connection)
                continue;
            FTH_GROW(sockets.all, sockets.count);
            sockets.all[sockets.count++] =
                (struct socket){.host = process->host,
                                .proc = i,
                                .name = process->pipes.all[k].name,
                                .text = process->pipes.all[k].connection,
                                .packets = behind(process->pipes.all[k].connection, "packets ")};
        }
    }
    if (sockets.count)
        qsort(sockets.all, sockets.count, sizeof *sockets.all, by_name);
    for (size_t i = 0; i < sockets.count; i++)
        if (!kept || sockets.all[kept - 1].host != sockets.all[i].host ||
            strcmp(sockets.all[kept - 1].name, sockets.all[i].name) != 0)
            sockets.all[kept++] = sockets.all[i];
    sockets.count = kept;
    return sockets;
}

/* ---- TCP ---- */

static bool is_of_host(const char *addresses)
{
    return behind(addresses, "127.") || behind(addresses, "[0:0:0:0:0:0:0:1]");
}

/* An end by what the other one would say of it. */
struct end {
    char *key;
    size_t socket;
};

static int by_key(const void *one, const void *other)
{
    return strcmp(((const struct end *)one)->key, ((const struct end *)other)->key);
}

/* "A B", or the other way round; of a loopback with the host, which others have, too. NULL: it is
 * no TCP. */
static char *key_of(const struct socket *socket, bool turned)
{
    const char *own = behind(socket->text, "tcp "), *to = own ? strstr(own, " to ") : NULL;
    if (!to)
        return NULL;
    const char *other = to + 4;
    size_t length = strlen(own) + 32, own_length = (size_t)(to - own);
    char *key = fth_new(length, 1);
    unsigned host = is_of_host(own) || is_of_host(other) ? socket->host : UINT32_MAX;
    if (turned)
        snprintf(key, length, "%u %s %.*s", host, other, (int)own_length, own);
    else
        snprintf(key, length, "%u %.*s %s", host, (int)own_length, own, other);
    return key;
}

static void pair(struct sockets *sockets, size_t one, size_t other)
{
    struct socket *a = &sockets->all[one], *b = &sockets->all[other];
    a->other = b->name;
    a->other_host = b->host;
    b->other = a->name;
    b->other_host = a->host;
}

static void pair_addresses(struct sockets *sockets)
{
    struct end *ends = fth_new(sockets->count + 1, sizeof *ends);
    size_t count = 0;
    for (size_t i = 0; i < sockets->count; i++) {
        char *key = key_of(&sockets->all[i], false);
        if (key)
            ends[count++] = (struct end){key, i};
    }
    qsort(ends, count, sizeof *ends, by_key);
    for (size_t i = 0; i < count; i++) {
        struct end wanted = {key_of(&sockets->all[ends[i].socket], true), 0};
        struct end *found = bsearch(&wanted, ends, count, sizeof *ends, by_key);
        size_t at = found ? (size_t)(found - ends) : 0;
        bool alone = (i == 0 || by_key(&ends[i], &ends[i - 1]) != 0) &&
                     (i + 1 == count || by_key(&ends[i], &ends[i + 1]) != 0);
        bool other_alone = found && (at == 0 || by_key(found, found - 1) != 0) &&
                           (at + 1 == count || by_key(found, found + 1) != 0);
        if (alone && other_alone && at != i)
            pair(sockets, ends[i].socket, found->socket);
        free(wanted.key);
    }
    for (size_t i = 0; i < count; i++)
        free(ends[i].key);
    free(ends);
}

/* ---- Unix sockets ---- */

static struct socket *named(const struct sockets *sockets, uint32_t host, const char *name)
{
    size_t low = 0, high = sockets->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct socket *at = &sockets->all[middle];
        int order = at->host != host ? (at->host < host ? -1 : 1) : strcmp(at->name, name);
        if (order == 0)
            return &sockets->all[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void pair_numbers(struct sockets *sockets)
{
    for (size_t i = 0; i < sockets->count; i++) {
        struct socket *socket = &sockets->all[i];
        char name[64];
        uint64_t peer = peer_of(socket);
        if (!peer)
            continue;
        snprintf(name, sizeof name, "socket:[%llu]", (unsigned long long)peer);
        struct socket *other = named(sockets, socket->host, name);
        if (other)
            pair(sockets, i, (size_t)(other - sockets->all));
    }
}

static bool is_left(const struct socket *socket)
{
    return local_part(socket) && !socket->other;
}

/* The one socket that is left of the process at the other end; `count`: none. */
static size_t left_of(const struct sockets *sockets, const struct fth_trace *trace, size_t of)
{
    const struct socket *socket = &sockets->all[of];
    size_t found = sockets->count;
    for (size_t i = 0; i < sockets->count; i++) {
        const struct socket *other = &sockets->all[i];
        if (i == of || !is_left(other) || other->host != socket->host ||
            fth_trace_process(trace, other->proc)->pid != reported_process(socket) ||
            strcmp(reported_place(other), reported_place(socket)) != 0)
            continue;
        if (found < sockets->count)
            return sockets->count;
        found = i;
    }
    return found;
}

static void pair_those_left(struct sockets *sockets, const struct fth_trace *trace)
{
    size_t *others = fth_new(sockets->count + 1, sizeof *others);
    unsigned *wanted = fth_new(sockets->count + 1, sizeof *wanted);
    for (size_t i = 0; i < sockets->count; i++) {
        others[i] = sockets->count;
        if (is_left(&sockets->all[i]) && reported_process(&sockets->all[i]) > 0)
            others[i] = left_of(sockets, trace, i);
        wanted[others[i]]++;
    }
    for (size_t i = 0; i < sockets->count; i++) {
        size_t other = others[i];
        bool agree = other < sockets->count && wanted[other] == 1 &&
                     (others[other] == i || others[other] == sockets->count);
        if (agree && is_left(&sockets->all[i]) && is_left(&sockets->all[other]))
            pair(sockets, i, other);
    }
    free(others);
    free(wanted);
}

/* ---- the door ---- */

void fth_match_connections(const struct fth_matching *matching, const struct fth_trace *trace,
                           void (*add)(void *context, struct fth_pipe_name name), void *context)
{
    struct sockets sockets = sockets_of(matching);
    pair_addresses(&sockets);
    pair_numbers(&sockets);
    pair_those_left(&sockets, trace);
    for (size_t i = 0; i < sockets.count; i++) {
        const struct socket *socket = &sockets.all[i];
        if (socket->other)
            add(context, (struct fth_pipe_name){.host = socket->host,
                                                .name = socket->name,
                                                .other = socket->other,
                                                .other_host = socket->other_host,
                                                .packets = socket->packets});
    }
    free(sockets.all);
}

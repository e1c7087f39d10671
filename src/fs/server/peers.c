/* The servers of other nodes: their events, the begin and the end. */
#include "fs/server/peers_state.h"

#include "base/memory.h"

#include <sys/epoll.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    EVENTS = 64,
    LAST_MS = 2000, /* for the last answers */
};

static void watch(const struct fth_peers *peers, int file, enum fth_peer_mark mark)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = fth_peers_mark(mark, 0)};
    epoll_ctl(peers->epoll, EPOLL_CTL_ADD, file, &event);
}

struct fth_peers *fth_peers_begin(const struct fth_fs_instance *instance, int listening,
                                  fth_peer_asked *asked, void *data, struct fth_error **error)
{
    struct fth_ucx *ucx = NULL;
    if (*instance->rdma && !(ucx = fth_ucx_begin(instance->rdma, error)))
        return NULL;
    struct fth_peers *peers = fth_new(1, sizeof *peers);
    *peers = (struct fth_peers){.instance = instance,
                                .asked = asked,
                                .data = data,
                                .listening = listening,
                                .ucx = ucx,
                                .epoll = epoll_create1(EPOLL_CLOEXEC)};
    watch(peers, listening, FTH_PEER_LISTENING);
    if (ucx)
        watch(peers, fth_ucx_file(ucx), FTH_PEER_UCX);
    if (getrandom(&peers->start, sizeof peers->start, 0) != sizeof peers->start)
        peers->start = fth_peer_now();
    fth_answers_once_begin(&peers->once, instance->server_count, instance->folder);
    peers->outgoing = fth_new(instance->server_count, sizeof *peers->outgoing);
    for (uint32_t i = 0; i < instance->server_count; i++) {
        peers->outgoing[i].link.socket = -1;
        peers->outgoing[i].last = &peers->outgoing[i].first;
    }
    return peers;
}

int fth_peers_file(const struct fth_peers *peers)
{
    return peers->epoll;
}

static void serve_event(struct fth_peers *peers, const struct epoll_event *event)
{
    uint64_t number = event->data.u64 & ((UINT64_C(1) << 56) - 1);
    switch (event->data.u64 >> 56) {
    case FTH_PEER_LISTENING:
        fth_peers_accept(peers);
        break;
    case FTH_PEER_UCX: /* what it says is taken before */
        break;
    case FTH_PEER_OUTGOING:
        fth_peers_serve_outgoing(peers, (uint32_t)number, event->events);
        break;
    default:
        fth_peers_serve_incoming(peers, number, event->events);
    }
}

static void take_message(void *data, uint64_t mark, struct fth_view *message)
{
    struct fth_peers *peers = data;
    uint64_t number = mark & ((UINT64_C(1) << 56) - 1);
    if (mark >> 56 == FTH_PEER_OUTGOING)
        fth_peers_take_answer(peers, (uint32_t)number, message);
    else
        fth_peers_take_question(peers, number, message);
}

void fth_peers_send(struct fth_peers *peers)
{
    if (peers->has_unsent) {
        peers->has_unsent = false;
        fth_peers_send_questions(peers);
        fth_peers_send_answers(peers);
    }
    if (peers->ucx)
        peers->has_come = !fth_ucx_rest(peers->ucx);
}

void fth_peers_refuse(struct fth_peers *peers)
{
    peers->refuses = true;
}

int fth_peers_serve(struct fth_peers *peers)
{
    while (peers->refuses && peers->incoming_count)
        fth_peers_lose_incoming(peers, peers->incoming_count - 1);
    struct epoll_event events[EVENTS];
    int count = 0, taken = 0;
    if (peers->ucx) /* before the end of a connection is seen, behind which nothing is taken */
        taken = fth_ucx_take(peers->ucx, take_message, peers);
    count = epoll_wait(peers->epoll, events, EVENTS, 0);
    for (int i = 0; i < count; i++)
        serve_event(peers, &events[i]);
    count += taken;
    fth_peers_send(peers);
    if (!peers->outgoing_busy && !peers->unproved)
        return count;
    uint64_t now = fth_peer_now();
    for (uint32_t i = 0; i < peers->instance->server_count; i++)
        fth_peers_serve_times(peers, i, now);
    for (size_t i = peers->incoming_count; i-- > 0;)
        if (peers->incoming[i]->server == FTH_SERVERS_MOST &&
            now >= peers->incoming[i]->shake_until)
            fth_peers_lose_incoming(peers, i);
    fth_peers_send(peers);
    return count;
}

int fth_peers_wait(const struct fth_peers *peers)
{
    if (peers->has_come)
        return 0;
    return peers->outgoing_busy || peers->unproved ? (int)(FTH_PEER_TRY / 1000000) : -1;
}

void fth_peers_end(struct fth_peers *peers)
{
    peers->ends = true;
    while (peers->incoming_count) {
        fth_peer_link_settle(&peers->incoming[peers->incoming_count - 1]->link, LAST_MS);
        fth_peers_lose_incoming(peers, peers->incoming_count - 1);
    }
    while (peers->outgoing_busy)
        for (uint32_t i = 0; i < peers->instance->server_count; i++)
            fth_peers_end_questions(peers, i);
    for (uint32_t i = 0; i < peers->instance->server_count; i++)
        fth_peer_link_end(&peers->outgoing[i].link);
    close(peers->listening);
    close(peers->epoll);
    if (peers->ucx)
        fth_ucx_end(peers->ucx);
    fth_answers_once_end(&peers->once);
    free(peers->incoming);
    free(peers->outgoing);
    free(peers);
}

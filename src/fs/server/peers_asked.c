/* Questions of other servers. */
#include "fs/server/peers_state.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_UNPROVED = 64, /* connections; so many need no descriptor of those who have proved */
    UNPROVED_PART = 8,  /* of the descriptors that the server may have, if that is less */
};

void fth_peers_lose_incoming(struct fth_peers *peers, size_t i)
{
    struct fth_peer_incoming *from = peers->incoming[i];
    peers->unproved -= from->server == FTH_SERVERS_MOST;
    fth_peer_link_end(&from->link);
    free(from);
    peers->incoming[i] = peers->incoming[--peers->incoming_count];
}

static void lose_oldest_unproved(struct fth_peers *peers)
{
    size_t oldest = peers->incoming_count;
    for (size_t i = 0; i < peers->incoming_count; i++)
        if (peers->incoming[i]->server == FTH_SERVERS_MOST &&
            (oldest == peers->incoming_count ||
             peers->incoming[i]->id < peers->incoming[oldest]->id))
            oldest = i;
    if (oldest < peers->incoming_count)
        fth_peers_lose_incoming(peers, oldest);
}

static uint32_t most_unproved(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / UNPROVED_PART >= MOST_UNPROVED)
        return MOST_UNPROVED;
    return limit.rlim_cur < UNPROVED_PART ? 1 : (uint32_t)(limit.rlim_cur / UNPROVED_PART);
}

/* Where there is no descriptor left, those who have not proved themselves give theirs. */
void fth_peers_accept(struct fth_peers *peers)
{
    int made = accept4(peers->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (made < 0) {
        if (errno == EMFILE || errno == ENFILE)
            lose_oldest_unproved(peers);
        return;
    }
    if (peers->refuses) {
        close(made);
        return;
    }
    while (peers->unproved >= most_unproved())
        lose_oldest_unproved(peers);
    struct fth_peer_incoming *from = fth_new(1, sizeof *from);
    *from = (struct fth_peer_incoming){.id = ++peers->next_id,
                                       .shake_until = fth_peer_now() + FTH_PEER_SHAKE,
                                       .server = FTH_SERVERS_MOST,
                                       .peers = peers};
    fth_node_socket_begin(made);
    fth_peer_link_begin(&from->link, made, true, peers->instance->secret);
    if (peers->ucx)
        from->link.way = fth_ucx_way_new(peers->ucx, fth_peers_mark(FTH_PEER_INCOMING, from->id));
    fth_peer_link_send(&from->link);
    fth_peer_link_watch(&from->link, peers->epoll, fth_peers_mark(FTH_PEER_INCOMING, from->id));
    FTH_GROW(peers->incoming, peers->incoming_count);
    peers->incoming[peers->incoming_count++] = from;
    peers->unproved++;
}

/* What a server asked by an earlier connection and was not answered, it asks again by this one. */
static void end_earlier(struct fth_peers *peers, const struct fth_peer_incoming *now)
{
    for (size_t i = peers->incoming_count; i-- > 0;)
        if (peers->incoming[i] != now && peers->incoming[i]->server == now->server)
            fth_peers_lose_incoming(peers, i);
}

/* Tells the other side how this one is reached. */
static bool reach(struct fth_peer_incoming *from, struct fth_view *said)
{
    struct fth_bytes own = {.data = NULL};
    if (!fth_ucx_way_reach(from->link.way, said))
        return false;
    fth_ucx_way_tell(from->link.way, &own);
    fth_peer_link_put_sealed(&from->link, &own);
    fth_bytes_free(&own);
    return true;
}

/* Its part was taken over by another one. */
static bool is_lost(const struct fth_peers *peers, uint64_t server, bool is_taken_over)
{
    struct fth_lost_node lost;
    return !is_taken_over && fth_node_meeting_lost(peers->instance, &lost) && lost.server == server;
}

static bool take_introduction(struct fth_peer_incoming *from, struct fth_view *message)
{
    const struct fth_fs_instance *instance = from->peers->instance;
    uint64_t count = fth_view_varint(message), server = fth_view_varint(message),
             start = fth_view_varint(message), connection = fth_view_varint(message);
    bool is_taken_over = fth_view_varint(message) != 0;
    if (message->failed || is_lost(from->peers, server, is_taken_over) ||
        count != instance->server_count || server >= count || server == instance->server ||
        !fth_answers_once_meet(&from->peers->once, (uint32_t)server, start, connection) ||
        (from->link.way && !reach(from, message)))
        return false;
    from->server = (uint32_t)server;
    from->peers->unproved--;
    end_earlier(from->peers, from);
    return true;
}

/* Of a link to another server, which may be cut by now. */
static void answer(struct fth_peers *peers, uint64_t link, uint64_t number, int error,
                   const void *fields, size_t length);

/* It was asked of the server before this one, and may be done or not. */
static void answer_unknown(struct fth_peers *peers, const struct fth_peer_question *question)
{
    char name[FTH_NODE_NAME_MOST + 1], why[FTH_PEER_WHY];
    fth_node_name(name);
    snprintf(why, sizeof why,
             "the server of node '%s' (number %u) was started again, or the connection to it cut, "
             "before it answered: whether it did that is not known, and it is not done twice",
             name, peers->instance->server);
    answer(peers, question->link, question->number, EHOSTDOWN, why, strlen(why));
}

/* What changes something is done once. false: that was before, or may have been. */
static bool is_to_be_done(struct fth_peers *peers, struct fth_peer_question *question,
                          uint64_t first_by)
{
    struct fth_answer_once *had =
        fth_answers_once_find(&peers->once, question->server, question->number);
    if (had) {
        had->link = question->link;
        if (had->is_given)
            answer(peers, had->link, had->number, had->error, had->fields.data, had->fields.length);
        return false;
    }
    if (fth_answers_once_is_unknown(&peers->once, question->server, first_by)) {
        answer_unknown(peers, question);
        return false;
    }
    question->once =
        fth_answers_once_add(&peers->once, question->server, question->number, question->link);
    return true;
}

static bool take_question_of(void *data, struct fth_view *message)
{
    struct fth_peer_incoming *from = data;
    struct fth_peers *peers = from->peers;
    struct fth_peer_question question = {.link = from->id, .server = from->server};
    uint64_t settled = fth_view_varint(message), first_by = fth_view_varint(message);
    question.number = fth_view_varint(message);
    const uint8_t *kind = fth_view_bytes(message, 1);
    uint64_t client = fth_view_varint(message);
    const struct fth_asker asker = {(uint32_t)client, fth_view_varint(message)};
    /* a server speaks for its own clients only */
    if (message->failed || client > UINT32_MAX ||
        (client && fth_server_of((uint32_t)client) != from->server))
        return false;
    fth_answers_once_settle(&peers->once, from->server, settled);
    bool is_noted = asker.request && fth_fs_message_is_noted(*kind);
    if (fth_fs_message_changes_nothing(*kind) || is_noted ||
        is_to_be_done(peers, &question, first_by))
        peers->asked(peers->data, &question, *kind, &asker, message);
    return true;
}

/* By the socket: who it is, and questions where there is no way of UCX. */
static bool take_sealed(void *data, struct fth_view *message)
{
    struct fth_peer_incoming *from = data;
    if (from->server == FTH_SERVERS_MOST)
        return take_introduction(from, message);
    return !from->link.way && take_question_of(from, message);
}

static bool find_incoming(const struct fth_peers *peers, uint64_t id, size_t *found)
{
    for (*found = 0; *found < peers->incoming_count; ++*found)
        if (peers->incoming[*found]->id == id)
            return true;
    return false;
}

static void watch_incoming(const struct fth_peers *peers, struct fth_peer_incoming *from)
{
    fth_peer_link_watch(&from->link, peers->epoll, fth_peers_mark(FTH_PEER_INCOMING, from->id));
}

void fth_peers_serve_incoming(struct fth_peers *peers, uint64_t id, uint32_t events)
{
    size_t i;
    if (!find_incoming(peers, id, &i))
        return;
    struct fth_peer_incoming *from = peers->incoming[i];
    /* nobody waits for what was asked by a connection that has ended: it came while this server was
     * stopped, and was asked again, or given up */
    bool good = !(events & (EPOLLRDHUP | EPOLLERR | EPOLLHUP));
    if (good && (events & EPOLLIN))
        good = fth_peer_link_receive(&from->link, take_sealed, from);
    good = good && fth_peer_link_send(&from->link);
    if (good)
        watch_incoming(peers, from);
    else if (find_incoming(peers, id, &i))
        fth_peers_lose_incoming(peers, i);
}

void fth_peers_take_question(struct fth_peers *peers, uint64_t id, struct fth_view *message)
{
    size_t i;
    if (!find_incoming(peers, id, &i))
        return;
    if ((!message || !take_question_of(peers->incoming[i], message)) &&
        find_incoming(peers, id, &i))
        fth_peers_lose_incoming(peers, i);
}

static void answer(struct fth_peers *peers, uint64_t link, uint64_t number, int error,
                   const void *fields, size_t length)
{
    struct fth_bytes message = {.data = NULL};
    size_t i;
    if (!find_incoming(peers, link, &i))
        return;
    fth_bytes_varint(&message, number);
    fth_bytes_varint(&message, (uint64_t)error);
    fth_bytes_put(&message, fields, length);
    fth_peer_link_put(&peers->incoming[i]->link, &message);
    fth_bytes_free(&message);
    peers->has_unsent = true;
    if (fth_peer_link_is_long(&peers->incoming[i]->link))
        fth_peers_send_answers(peers);
}

void fth_peers_send_answers(struct fth_peers *peers)
{
    for (size_t i = 0; i < peers->incoming_count; i++) {
        struct fth_peer_incoming *from = peers->incoming[i];
        if (!fth_peer_link_is_open(&from->link) || !fth_peer_link_has_unsent(&from->link))
            continue;
        fth_peer_link_send(&from->link);
        watch_incoming(peers, from);
    }
}

void fth_peers_reply(struct fth_peers *peers, const struct fth_peer_question *question, int error,
                     const void *fields, size_t length)
{
    uint64_t link = question->link;
    if (question->once) {
        const struct fth_answer_once *kept = fth_answers_once_keep(
            &peers->once, question->server, question->once, error, fields, length);
        if (!kept)
            return;
        link = kept->link;
    }
    answer(peers, link, question->number, error, fields, length);
}

/* Questions of other servers. */
#include "fs/server/peers_state.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_INCOMING = 2 * FTH_SERVERS_MOST };

void fth_peers_lose_incoming(struct fth_peers *peers, size_t i)
{
    struct fth_peer_incoming *from = peers->incoming[i];
    peers->unproved -= from->server == FTH_SERVERS_MOST;
    fth_peer_link_end(&from->link);
    free(from);
    peers->incoming[i] = peers->incoming[--peers->incoming_count];
}

void fth_peers_accept(struct fth_peers *peers)
{
    int made = accept4(peers->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (made < 0)
        return;
    if (peers->incoming_count == MOST_INCOMING) {
        close(made);
        return;
    }
    struct fth_peer_incoming *from = fth_new(1, sizeof *from);
    *from = (struct fth_peer_incoming){.id = ++peers->next_id,
                                       .shake_until = fth_peer_now() + FTH_PEER_SHAKE,
                                       .server = FTH_SERVERS_MOST,
                                       .peers = peers};
    fth_node_socket_begin(made);
    fth_peer_link_begin(&from->link, made, true, peers->instance->secret);
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

static bool take_introduction(struct fth_peer_incoming *from, struct fth_view *message)
{
    const struct fth_fs_instance *instance = from->peers->instance;
    uint64_t count = fth_view_varint(message), server = fth_view_varint(message),
             start = fth_view_varint(message);
    if (message->failed || count != instance->server_count || server >= count ||
        server == instance->server)
        return false;
    from->server = (uint32_t)server;
    from->peers->unproved--;
    end_earlier(from->peers, from);
    fth_answers_once_begin(&from->peers->once[server], start);
    return true;
}

static bool take_question_of(void *data, struct fth_view *message)
{
    struct fth_peer_incoming *from = data;
    struct fth_peers *peers = from->peers;
    if (from->server == FTH_SERVERS_MOST)
        return take_introduction(from, message);
    struct fth_peer_question question = {.link = from->id, .server = from->server};
    question.number = fth_view_varint(message);
    const uint8_t *kind = fth_view_bytes(message, 1);
    uint64_t client = fth_view_varint(message);
    /* a server speaks for its own clients only */
    if (message->failed || client > UINT32_MAX ||
        (client && fth_server_of((uint32_t)client) != from->server))
        return false;
    question.is_once = *kind == FTH_MESSAGE_RESERVE;
    const struct fth_answer_once *had =
        question.is_once ? fth_answers_once_find(&peers->once[from->server], question.number)
                         : NULL;
    if (had)
        fth_peers_reply(peers, &question, had->error, had->fields, had->length);
    else
        peers->asked(peers->data, &question, *kind, (uint32_t)client, message);
    return true;
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
    bool good = true;
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP))
        good = fth_peer_link_receive(&from->link, take_question_of, from);
    good = good && fth_peer_link_send(&from->link);
    if (good)
        watch_incoming(peers, from);
    else if (find_incoming(peers, id, &i))
        fth_peers_lose_incoming(peers, i);
}

void fth_peers_reply(struct fth_peers *peers, const struct fth_peer_question *question, int error,
                     const void *fields, size_t length)
{
    struct fth_bytes message = {.data = NULL};
    size_t i;
    if (question->is_once)
        fth_answers_once_keep(&peers->once[question->server], question->number, error, fields,
                              length);
    if (!find_incoming(peers, question->link, &i))
        return;
    fth_bytes_varint(&message, question->number);
    fth_bytes_varint(&message, (uint64_t)error);
    fth_bytes_put(&message, fields, length);
    fth_peer_link_put(&peers->incoming[i]->link, &message);
    fth_bytes_free(&message);
    fth_peer_link_send(&peers->incoming[i]->link);
    watch_incoming(peers, peers->incoming[i]);
}

/* Questions to other servers, and of them. */
#include "fs/server/peers.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/answers_once.h"
#include "fs/server/node_network.h"
#include "fs/server/peer_link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    MOST_INCOMING = 2 * FTH_SERVERS_MOST,
    EVENTS = 64,
    LAST_MS = 2000,         /* for the last answers */
    UNREAD_MOST = 64 << 20, /* bytes of answers: who does not read them is not listened to */
    WHY_MOST = 2 * FTH_NODE_NAME_MOST,
};

static const uint64_t second = 1000000000, pause_between_tries = 100000000, shake_time = 5000000000,
                      return_time = 10000000000, /* of a server that went */
    again_time = 3000000000;                     /* of one that has been waited for in vain */

struct question {
    struct question *next;
    uint64_t number, until, connect_until;
    bool sent;
    struct fth_bytes message;
    fth_peer_answered *answered;
    void *data;
};

/* To a server: what it is asked goes by a connection that this one makes. */
struct outgoing {
    struct fth_peer_link link;
    bool connecting;
    uint64_t next_try, shake_until;
    uint64_t gone_since; /* no try has come to an end since; 0: the last one has */
    struct question *first, **last;
    struct fth_met_node node;
    char why[WHY_MOST]; /* it could not be asked last */
    int error;          /* that no other try changes; 0: none */
};

struct incoming {
    struct fth_peer_link link;
    uint64_t id, shake_until;
    uint32_t server; /* FTH_SERVERS_MOST: it has not said which it is */
    struct fth_peers *peers;
};

struct fth_peers {
    const struct fth_fs_instance *instance;
    fth_peer_asked *asked;
    void *data;
    int epoll, listening;
    struct outgoing *outgoing; /* by number of server */
    struct incoming **incoming;
    struct fth_answers_once *once; /* by number of server */
    uint64_t start;                /* at random, of this process */
    size_t incoming_count;
    uint64_t next_id, next_number;
    uint32_t outgoing_busy; /* servers that something is asked of */
    uint32_t unproved;      /* connections */
    bool ends;
};

enum { TAG_LISTENING, TAG_OUTGOING, TAG_INCOMING };

static uint64_t tag(unsigned kind, uint64_t number)
{
    return (uint64_t)kind << 56 | number;
}

static void watch(struct fth_peers *peers, int how, const struct fth_peer_link *link, bool writes,
                  uint64_t mark)
{
    bool is_full = link->unsent.length - link->sent > UNREAD_MOST;
    struct epoll_event event = {.events = (is_full ? 0 : (uint32_t)EPOLLIN) |
                                          (writes ? (uint32_t)EPOLLOUT : 0),
                                .data.u64 = mark};
    epoll_ctl(peers->epoll, how, link->socket, &event);
}

struct fth_peers *fth_peers_begin(const struct fth_fs_instance *instance, int listening,
                                  fth_peer_asked *asked, void *data)
{
    struct fth_peers *peers = fth_new(1, sizeof *peers);
    *peers = (struct fth_peers){.instance = instance,
                                .asked = asked,
                                .data = data,
                                .listening = listening,
                                .epoll = epoll_create1(EPOLL_CLOEXEC)};
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = tag(TAG_LISTENING, 0)};
    epoll_ctl(peers->epoll, EPOLL_CTL_ADD, listening, &event);
    if (getrandom(&peers->start, sizeof peers->start, 0) != sizeof peers->start)
        peers->start = fth_peer_now();
    peers->once = fth_new(instance->server_count, sizeof *peers->once);
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

/* ---- asking ---- */

static void tell_why(struct fth_peers *peers, uint32_t server, int error)
{
    struct outgoing *to = &peers->outgoing[server];
    const char *name = *to->node.name ? to->node.name : "of another node";
    if (error == EACCES)
        snprintf(to->why, sizeof to->why,
                 "the server of node '%s' does not know the secret of the instance", name);
    else if (error == EPROTO)
        snprintf(to->why, sizeof to->why,
                 "the server of node '%s' is of another version of Fathom (it speaks version %llu "
                 "of what servers say, this one %d)",
                 name, (unsigned long long)to->link.version, FTH_LINK_VERSION);
    else
        snprintf(to->why, sizeof to->why,
                 "the server of node '%s' (number %u, %s) does not answer: %s", name, server,
                 *to->node.address ? to->node.address : "it has not come", strerror(error));
    to->error = error == EACCES || error == EPROTO ? error : 0;
    if (!to->gone_since)
        to->gone_since = fth_peer_now();
}

static uint64_t longest_return(const struct outgoing *to, uint64_t now)
{
    return to->gone_since && now - to->gone_since >= return_time ? again_time : return_time;
}

static void send_questions(struct fth_peers *peers, uint32_t server)
{
    struct outgoing *to = &peers->outgoing[server];
    for (struct question *one = to->first; one; one = one->next)
        if (!one->sent) {
            fth_peer_link_put(&to->link, &one->message);
            one->sent = true;
        }
    fth_peer_link_send(&to->link); /* what fails is found when it is read */
    watch(peers, EPOLL_CTL_MOD, &to->link, fth_peer_link_has_unsent(&to->link),
          tag(TAG_OUTGOING, server));
}

static void lose_outgoing(struct fth_peers *peers, uint32_t server, int error)
{
    struct outgoing *to = &peers->outgoing[server];
    uint64_t now = fth_peer_now();
    tell_why(peers, server, error);
    fth_peer_link_end(&to->link);
    to->connecting = false;
    to->next_try = now + pause_between_tries;
    for (struct question *one = to->first; one; one = one->next) {
        if (one->sent)
            one->connect_until = now + return_time;
        one->sent = false;
    }
}

static void connect_to(struct fth_peers *peers, uint32_t server)
{
    struct outgoing *to = &peers->outgoing[server];
    int made = -1;
    to->next_try = fth_peer_now() + pause_between_tries;
    if (fth_node_meeting_find(peers->instance, server, &to->node))
        made = fth_node_connect(&to->node);
    if (made < 0) {
        tell_why(peers, server, errno);
        return;
    }
    fth_peer_link_begin(&to->link, made, false, peers->instance->secret);
    to->connecting = true;
    to->shake_until = fth_peer_now() + shake_time;
    watch(peers, EPOLL_CTL_ADD, &to->link, true, tag(TAG_OUTGOING, server));
}

void fth_peers_ask(struct fth_peers *peers, uint32_t server, uint8_t kind, uint32_t client,
                   const struct fth_bytes *fields, unsigned seconds, fth_peer_answered *answered,
                   void *data)
{
    struct outgoing *to = &peers->outgoing[server];
    struct question *made = fth_new(1, sizeof *made);
    uint64_t now = fth_peer_now(), whole = seconds * second, most = longest_return(to, now);
    *made = (struct question){.number = ++peers->next_number,
                              .until = now + whole,
                              .connect_until = now + (whole < most ? whole : most),
                              .answered = answered,
                              .data = data};
    fth_bytes_varint(&made->message, made->number);
    fth_bytes_put(&made->message, &kind, 1);
    fth_bytes_varint(&made->message, client);
    fth_bytes_put(&made->message, fields->data, fields->length);
    peers->outgoing_busy += !to->first;
    *to->last = made;
    to->last = &made->next;
    to->error = 0;
    if (to->link.socket < 0 && now >= to->next_try && !peers->ends)
        connect_to(peers, server);
    else if (fth_peer_link_is_open(&to->link))
        send_questions(peers, server);
}

/* Takes it out of the list; NULL: there is none of this number. */
static struct question *take_question(struct fth_peers *peers, struct outgoing *to, uint64_t number)
{
    struct question **at = &to->first;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct question *found = *at;
    if (!found)
        return NULL;
    *at = found->next;
    if (to->last == &found->next)
        to->last = at;
    peers->outgoing_busy -= !to->first;
    return found;
}

static void end_question(struct question *question, struct fth_peer_answer *answer)
{
    question->answered(question->data, answer);
    fth_bytes_free(&question->message);
    free(question);
}

struct taking {
    struct fth_peers *peers;
    uint32_t server;
};

static bool take_answer(void *data, struct fth_view *message)
{
    const struct taking *taking = data;
    struct outgoing *to = &taking->peers->outgoing[taking->server];
    struct fth_peer_answer answer = {.server = taking->server, .why = ""};
    uint64_t number = fth_view_varint(message), error = fth_view_varint(message);
    char why[WHY_MOST];
    if (message->failed || error > UINT8_MAX)
        return false;
    struct question *question = take_question(taking->peers, to, number);
    if (!question)
        return true; /* it was asked twice */
    answer.error = (int)error;
    answer.fields = *message;
    if (error) {
        snprintf(why, sizeof why, "%.*s", (int)(fth_view_left(message) % WHY_MOST),
                 (const char *)message->at);
        answer.why = why;
    }
    end_question(question, &answer);
    return true;
}

static void introduce(struct fth_peers *peers, uint32_t server)
{
    struct outgoing *to = &peers->outgoing[server];
    struct fth_bytes who = {.data = NULL};
    fth_bytes_varint(&who, peers->instance->server_count);
    fth_bytes_varint(&who, peers->instance->server);
    fth_bytes_varint(&who, peers->start);
    to->gone_since = 0;
    fth_peer_link_put(&to->link, &who);
    fth_bytes_free(&who);
    send_questions(peers, server);
}

static void serve_outgoing(struct fth_peers *peers, uint32_t server, uint32_t events)
{
    struct outgoing *to = &peers->outgoing[server];
    struct taking taking = {peers, server};
    if (to->link.socket < 0)
        return;
    bool was_open = fth_peer_link_is_open(&to->link);
    if (to->connecting && !fth_peer_link_is_connected(&to->link)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    to->connecting = false;
    if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) &&
        !fth_peer_link_receive(&to->link, take_answer, &taking)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    if (!was_open && fth_peer_link_is_open(&to->link)) {
        introduce(peers, server);
        return;
    }
    if (!fth_peer_link_send(&to->link)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    watch(peers, EPOLL_CTL_MOD, &to->link, fth_peer_link_has_unsent(&to->link),
          tag(TAG_OUTGOING, server));
}

/* Questions whose time is over. Their answers may ask more, so they leave the list before. */
static void end_late(struct fth_peers *peers, uint32_t server, uint64_t now)
{
    struct outgoing *to = &peers->outgoing[server];
    bool is_open = fth_peer_link_is_open(&to->link);
    uint64_t last = peers->next_number;
    for (struct question *one = to->first, *next; one && one->number <= last; one = next) {
        next = one->next;
        bool is_late = now >= one->until || (!is_open && (to->error || now >= one->connect_until));
        if (!is_late)
            continue;
        char why[WHY_MOST];
        if (is_open)
            tell_why(peers, server, ETIMEDOUT);
        snprintf(why, sizeof why, "%s", to->why);
        struct fth_peer_answer answer = {.server = server, .error = EHOSTDOWN, .why = why};
        end_question(take_question(peers, to, one->number), &answer);
    }
}

static void serve_times(struct fth_peers *peers, uint32_t server, uint64_t now)
{
    struct outgoing *to = &peers->outgoing[server];
    if (!to->first)
        return;
    if (to->link.socket >= 0 && !fth_peer_link_is_open(&to->link) && now >= to->shake_until)
        lose_outgoing(peers, server, ETIMEDOUT);
    if (to->link.socket < 0 && !to->error && now >= to->next_try)
        connect_to(peers, server);
    end_late(peers, server, now);
}

/* ---- being asked ---- */

static void lose_incoming(struct fth_peers *peers, size_t i)
{
    struct incoming *from = peers->incoming[i];
    peers->unproved -= from->server == FTH_SERVERS_MOST;
    fth_peer_link_end(&from->link);
    free(from);
    peers->incoming[i] = peers->incoming[--peers->incoming_count];
}

static void accept_incoming(struct fth_peers *peers)
{
    int made = accept4(peers->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (made < 0)
        return;
    if (peers->incoming_count == MOST_INCOMING) {
        close(made);
        return;
    }
    struct incoming *from = fth_new(1, sizeof *from);
    *from = (struct incoming){.id = ++peers->next_id,
                              .shake_until = fth_peer_now() + shake_time,
                              .server = FTH_SERVERS_MOST,
                              .peers = peers};
    fth_node_socket_begin(made);
    fth_peer_link_begin(&from->link, made, true, peers->instance->secret);
    fth_peer_link_send(&from->link);
    watch(peers, EPOLL_CTL_ADD, &from->link, fth_peer_link_has_unsent(&from->link),
          tag(TAG_INCOMING, from->id));
    FTH_GROW(peers->incoming, peers->incoming_count);
    peers->incoming[peers->incoming_count++] = from;
    peers->unproved++;
}

/* What a server asked by an earlier connection and was not answered, it asks again by this one. */
static void end_earlier(struct fth_peers *peers, const struct incoming *now)
{
    for (size_t i = peers->incoming_count; i-- > 0;)
        if (peers->incoming[i] != now && peers->incoming[i]->server == now->server)
            lose_incoming(peers, i);
}

static bool take_introduction(struct incoming *from, struct fth_view *message)
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
    struct incoming *from = data;
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

static void watch_incoming(struct fth_peers *peers, const struct incoming *from)
{
    watch(peers, EPOLL_CTL_MOD, &from->link, fth_peer_link_has_unsent(&from->link),
          tag(TAG_INCOMING, from->id));
}

static void serve_incoming(struct fth_peers *peers, uint64_t id, uint32_t events)
{
    size_t i;
    if (!find_incoming(peers, id, &i))
        return;
    struct incoming *from = peers->incoming[i];
    bool good = true;
    if (events & (EPOLLIN | EPOLLERR | EPOLLHUP))
        good = fth_peer_link_receive(&from->link, take_question_of, from);
    good = good && fth_peer_link_send(&from->link);
    if (good)
        watch_incoming(peers, from);
    else if (find_incoming(peers, id, &i))
        lose_incoming(peers, i);
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

/* ---- the loop ---- */

static void serve_event(struct fth_peers *peers, const struct epoll_event *event)
{
    uint64_t number = event->data.u64 & ((UINT64_C(1) << 56) - 1);
    switch (event->data.u64 >> 56) {
    case TAG_LISTENING:
        accept_incoming(peers);
        break;
    case TAG_OUTGOING:
        serve_outgoing(peers, (uint32_t)number, event->events);
        break;
    default:
        serve_incoming(peers, number, event->events);
    }
}

void fth_peers_serve(struct fth_peers *peers)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(peers->epoll, events, EVENTS, 0);
    for (int i = 0; i < count; i++)
        serve_event(peers, &events[i]);
    if (!peers->outgoing_busy && !peers->unproved)
        return;
    uint64_t now = fth_peer_now();
    for (uint32_t i = 0; i < peers->instance->server_count; i++)
        serve_times(peers, i, now);
    for (size_t i = peers->incoming_count; i-- > 0;)
        if (peers->incoming[i]->server == FTH_SERVERS_MOST &&
            now >= peers->incoming[i]->shake_until)
            lose_incoming(peers, i);
}

int fth_peers_wait(const struct fth_peers *peers)
{
    return peers->outgoing_busy || peers->unproved ? (int)(pause_between_tries / 1000000) : -1;
}

static void send_last(struct fth_peer_link *link)
{
    struct pollfd polled = {.fd = link->socket, .events = POLLOUT};
    while (fth_peer_link_has_unsent(link) && poll(&polled, 1, LAST_MS) > 0 &&
           fth_peer_link_send(link)) {
    }
}

static void end_questions(struct fth_peers *peers, uint32_t server)
{
    struct outgoing *to = &peers->outgoing[server];
    struct fth_peer_answer answer = {
        .server = server, .error = EHOSTDOWN, .why = "the server of this node ends"};
    while (to->first)
        end_question(take_question(peers, to, to->first->number), &answer);
}

void fth_peers_end(struct fth_peers *peers)
{
    peers->ends = true;
    while (peers->incoming_count) {
        send_last(&peers->incoming[peers->incoming_count - 1]->link);
        lose_incoming(peers, peers->incoming_count - 1);
    }
    while (peers->outgoing_busy)
        for (uint32_t i = 0; i < peers->instance->server_count; i++)
            end_questions(peers, i);
    for (uint32_t i = 0; i < peers->instance->server_count; i++)
        fth_peer_link_end(&peers->outgoing[i].link);
    close(peers->listening);
    close(peers->epoll);
    free(peers->once);
    free(peers->incoming);
    free(peers->outgoing);
    free(peers);
}

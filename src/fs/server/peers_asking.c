/* Questions to other servers. */
#include "fs/server/peers_state.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/beats.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static void tell_why(struct fth_peers *peers, uint32_t server, int error)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
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

bool fth_peers_tell_no_lease(const struct fth_peers *peers, char why[FTH_PEER_WHY])
{
    uint32_t count = peers->instance->server_count, next = fth_partner_of(peers->instance),
             gone = 0;
    struct fth_met_node node;
    uint64_t since;
    if (!fth_beats_lack_lease(&since))
        return false;
    for (uint32_t i = 0; i < count; i++)
        gone += peers->outgoing[i].gone_since != 0;
    if (!fth_node_meeting_find(peers->instance, next, &node))
        snprintf(node.name, sizeof node.name, "unknown");
    int length = snprintf(why, FTH_PEER_WHY,
                          "the server of this node may neither answer nor write, as node '%.150s' "
                          "(server %u) has not confirmed it",
                          node.name, next);
    if (since)
        length += snprintf(why + length, FTH_PEER_WHY - (size_t)length, " for %.0f s",
                           (double)(fth_peer_now() - since + FTH_BEAT_LEASE) / 1e9);
    snprintf(why + length, FTH_PEER_WHY - (size_t)length,
             "; of %u nodes, %u or more do not answer (fathom-fs(1), TWO COPIES)", count, gone);
    return true;
}

static uint64_t longest_return(const struct fth_peer_outgoing *to, uint64_t now)
{
    return to->gone_since && now - to->gone_since >= FTH_PEER_RETURN ? FTH_PEER_AGAIN
                                                                     : FTH_PEER_RETURN;
}

/* With the first that has no answer: those to the ones before are not needed any more. */
static void put_question(struct fth_peer_outgoing *to, struct fth_peer_asking *one)
{
    struct fth_bytes message = {.data = NULL};
    one->first_by = one->first_by ? one->first_by : to->connections;
    one->sent = true;
    fth_bytes_varint(&message, to->first->number);
    fth_bytes_varint(&message, one->first_by);
    fth_bytes_put(&message, one->message.data, one->message.length);
    fth_peer_link_put(&to->link, &message);
    fth_bytes_free(&message);
}

static void put_questions(struct fth_peers *peers, uint32_t server)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    for (struct fth_peer_asking *one = to->first; one; one = one->next)
        if (!one->sent)
            put_question(to, one);
    peers->has_unsent = true;
}

void fth_peers_send_questions(struct fth_peers *peers)
{
    for (uint32_t i = 0; i < peers->instance->server_count; i++) {
        struct fth_peer_outgoing *to = &peers->outgoing[i];
        if (!fth_peer_link_is_open(&to->link) || !fth_peer_link_has_unsent(&to->link))
            continue;
        fth_peer_link_send(&to->link); /* what fails is found when it is read */
        fth_peer_link_watch(&to->link, peers->epoll, fth_peers_mark(FTH_PEER_OUTGOING, i));
    }
}

static void lose_outgoing(struct fth_peers *peers, uint32_t server, int error)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    uint64_t now = fth_peer_now();
    tell_why(peers, server, error);
    fth_peer_link_end(&to->link);
    to->connecting = false;
    to->next_try = now + FTH_PEER_TRY;
    for (struct fth_peer_asking *one = to->first; one; one = one->next) {
        if (one->sent)
            one->connect_until = now + FTH_PEER_RETURN;
        one->sent = false;
    }
}

static void connect_to(struct fth_peers *peers, uint32_t server)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    int made = -1;
    to->next_try = fth_peer_now() + FTH_PEER_TRY;
    if (fth_node_meeting_find(peers->instance, server, &to->node))
        made = fth_node_connect(&to->node);
    if (made < 0) {
        tell_why(peers, server, errno);
        return;
    }
    fth_peer_link_begin(&to->link, made, false, peers->instance->secret);
    if (peers->ucx)
        to->link.way = fth_ucx_way_new(peers->ucx, fth_peers_mark(FTH_PEER_OUTGOING, server));
    to->connecting = true;
    to->shake_until = fth_peer_now() + FTH_PEER_SHAKE;
    fth_peer_link_watch(&to->link, peers->epoll, fth_peers_mark(FTH_PEER_OUTGOING, server));
}

void fth_peers_find_again(struct fth_peers *peers, uint32_t server)
{
    const struct fth_peer_outgoing *to = &peers->outgoing[server];
    struct fth_met_node node;
    if (server == peers->instance->server || to->link.socket < 0 ||
        !fth_node_meeting_find(peers->instance, server, &node) ||
        (node.port == to->node.port && strcmp(node.address, to->node.address) == 0))
        return;
    lose_outgoing(peers, server, EHOSTDOWN);
    if (to->first)
        connect_to(peers, server);
}

void fth_peers_ask(struct fth_peers *peers, uint32_t server, uint8_t kind,
                   const struct fth_asker *asker, const struct fth_bytes *fields, unsigned seconds,
                   fth_peer_answered *answered, void *data)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    struct fth_peer_asking *made = fth_new(1, sizeof *made);
    uint64_t now = fth_peer_now(), whole = seconds * FTH_PEER_SECOND,
             most = longest_return(to, now);
    *made = (struct fth_peer_asking){.number = ++peers->next_number,
                                     .until = now + whole,
                                     .connect_until = now + (whole < most ? whole : most),
                                     .changes = !fth_fs_message_changes_nothing(kind),
                                     .answered = answered,
                                     .data = data};
    fth_bytes_varint(&made->message, made->number);
    fth_bytes_put(&made->message, &kind, 1);
    fth_bytes_varint(&made->message, asker->client);
    fth_bytes_varint(&made->message, asker->request);
    fth_bytes_put(&made->message, fields->data, fields->length);
    peers->outgoing_busy += !to->first;
    *to->last = made;
    to->last = &made->next;
    to->error = 0;
    if (to->link.socket < 0 && now >= to->next_try && !peers->ends)
        connect_to(peers, server);
    else if (fth_peer_link_is_open(&to->link))
        put_questions(peers, server);
}

/* Takes it out of the list; NULL: there is none of this number. */
static struct fth_peer_asking *take_question(struct fth_peers *peers, struct fth_peer_outgoing *to,
                                             uint64_t number)
{
    struct fth_peer_asking **at = &to->first;
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    struct fth_peer_asking *found = *at;
    if (!found)
        return NULL;
    *at = found->next;
    if (to->last == &found->next)
        to->last = at;
    peers->outgoing_busy -= !to->first;
    return found;
}

static void end_question(struct fth_peer_asking *question, struct fth_peer_answer *answer)
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
    struct fth_peer_outgoing *to = &taking->peers->outgoing[taking->server];
    struct fth_peer_answer answer = {.server = taking->server, .why = ""};
    uint64_t number = fth_view_varint(message), error = fth_view_varint(message);
    char why[FTH_PEER_WHY];
    if (message->failed || error > UINT8_MAX)
        return false;
    struct fth_peer_asking *question = take_question(taking->peers, to, number);
    if (!question)
        return true; /* it was asked twice */
    answer.error = (int)error;
    answer.fields = *message;
    if (error) {
        snprintf(why, sizeof why, "%.*s", (int)(fth_view_left(message) % FTH_PEER_WHY),
                 (const char *)message->at);
        answer.why = why;
    }
    end_question(question, &answer);
    return true;
}

/* By the socket: an answer, or how the other side is reached. */
static bool take_sealed(void *data, struct fth_view *message)
{
    const struct taking *taking = data;
    struct fth_peer_outgoing *to = &taking->peers->outgoing[taking->server];
    return to->link.way ? fth_ucx_way_reach(to->link.way, message) : take_answer(data, message);
}

void fth_peers_take_answer(struct fth_peers *peers, uint32_t server, struct fth_view *message)
{
    struct taking taking = {peers, server};
    if (!message || !take_answer(&taking, message))
        lose_outgoing(peers, server, message ? EBADMSG : ECONNRESET);
}

static void introduce(struct fth_peers *peers, uint32_t server)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    struct fth_bytes who = {.data = NULL};
    fth_bytes_varint(&who, peers->instance->server_count);
    fth_bytes_varint(&who, peers->instance->server);
    fth_bytes_varint(&who, peers->start);
    fth_bytes_varint(&who, ++to->connections);
    fth_bytes_varint(&who, peers->instance->is_taken_over);
    to->gone_since = 0;
    if (to->link.way)
        fth_ucx_way_tell(to->link.way, &who);
    fth_peer_link_put_sealed(&to->link, &who);
    fth_bytes_free(&who);
}

void fth_peers_serve_outgoing(struct fth_peers *peers, uint32_t server, uint32_t events)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    struct taking taking = {peers, server};
    if (to->link.socket < 0)
        return;
    bool was_proved = fth_peer_link_is_proved(&to->link),
         was_open = fth_peer_link_is_open(&to->link);
    if (to->connecting && !fth_peer_link_is_connected(&to->link)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    to->connecting = false;
    if ((events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) &&
        !fth_peer_link_receive(&to->link, take_sealed, &taking)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    if (!was_proved && fth_peer_link_is_proved(&to->link))
        introduce(peers, server);
    if (!was_open && fth_peer_link_is_open(&to->link))
        put_questions(peers, server);
    if (!fth_peer_link_send(&to->link)) {
        lose_outgoing(peers, server, errno);
        return;
    }
    fth_peer_link_watch(&to->link, peers->epoll, fth_peers_mark(FTH_PEER_OUTGOING, server));
}

/* Questions whose time is over. Their answers may ask more, so they leave the list before. What
 * changes something is not to be done later, so the connection that it went by ends. */
static void end_late(struct fth_peers *peers, uint32_t server, uint64_t now)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    bool is_open = fth_peer_link_is_open(&to->link);
    bool is_withdrawn = false;
    uint64_t last = peers->next_number;
    for (struct fth_peer_asking *one = to->first, *next; one && one->number <= last; one = next) {
        next = one->next;
        bool is_late = now >= one->until || (!is_open && (to->error || now >= one->connect_until));
        if (!is_late)
            continue;
        char why[FTH_PEER_WHY];
        if (is_open)
            tell_why(peers, server, ETIMEDOUT);
        if (!fth_peers_tell_no_lease(peers, why))
            snprintf(why, sizeof why, "%s", to->why);
        struct fth_peer_answer answer = {.server = server, .error = EHOSTDOWN, .why = why};
        is_withdrawn |= is_open && one->changes;
        end_question(take_question(peers, to, one->number), &answer);
    }
    if (is_withdrawn && fth_peer_link_is_open(&to->link))
        lose_outgoing(peers, server, ETIMEDOUT);
}

void fth_peers_serve_times(struct fth_peers *peers, uint32_t server, uint64_t now)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    if (!to->first)
        return;
    if (to->link.socket >= 0 && !fth_peer_link_is_open(&to->link) && now >= to->shake_until)
        lose_outgoing(peers, server, ETIMEDOUT);
    if (to->link.socket < 0 && !to->error && now >= to->next_try)
        connect_to(peers, server);
    end_late(peers, server, now);
}

void fth_peers_end_questions(struct fth_peers *peers, uint32_t server)
{
    struct fth_peer_outgoing *to = &peers->outgoing[server];
    struct fth_peer_answer answer = {
        .server = server, .error = EHOSTDOWN, .why = "the server of this node ends"};
    while (to->first)
        end_question(take_question(peers, to, to->first->number), &answer);
}

/* What one call does: messages, collectives, processes. */
#include "base/memory.h"
#include "order/build/feeder.h"

#include <string.h>

enum { MOST_HANDLES = 1 << 24 };

/* ---- values ---- */

const struct fth_value *fth_feeder_value(const struct fth_order_feeder *feeder, int parameter)
{
    if (parameter < 0 || (size_t)parameter >= feeder->call->function->parameter_count)
        return NULL;
    return &feeder->call->arguments[parameter];
}

int64_t fth_feeder_integer(const struct fth_order_feeder *feeder, int parameter, int64_t otherwise)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? value->integer : otherwise;
}

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

int32_t fth_feeder_peer(int64_t integer, const char *text)
{
    if (is(text, "MPI_ANY_SOURCE"))
        return FTH_PEER_ANY;
    if (is(text, "MPI_ROOT"))
        return FTH_PEER_ROOT;
    return text || integer < 0 || integer > INT32_MAX ? FTH_PEER_NOBODY : (int32_t)integer;
}

int32_t fth_feeder_tag(int64_t integer, const char *text)
{
    return is(text, "MPI_ANY_TAG") || integer <= INT32_MIN || integer > INT32_MAX
               ? FTH_TAG_ANY
               : (int32_t)integer;
}

uint32_t fth_feeder_node(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    bool known = value && value->type == FTH_VALUE_HANDLE && value->integer >= 0 &&
                 value->integer < feeder->node_room && feeder->nodes[value->integer];
    return known ? feeder->nodes[value->integer] - 1 : UINT32_MAX;
}

int32_t fth_feeder_peer_in(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? fth_feeder_peer(value->integer, value->text)
                                                     : FTH_PEER_NOBODY;
}

int32_t fth_feeder_tag_in(const struct fth_order_feeder *feeder, int parameter)
{
    const struct fth_value *value = fth_feeder_value(feeder, parameter);
    return value && value->type == FTH_VALUE_INTEGER ? fth_feeder_tag(value->integer, value->text)
                                                     : 0;
}

/* ---- members ---- */

static enum fth_member_origin origin_of(const struct fth_handle *handle)
{
    return is(handle->name, "MPI_COMM_WORLD")  ? FTH_MEMBER_WORLD
           : is(handle->name, "MPI_COMM_SELF") ? FTH_MEMBER_SELF
                                               : FTH_MEMBER_UNKNOWN;
}

uint32_t fth_feeder_only_member(struct fth_order_feeder *feeder, enum fth_member_origin origin,
                                const char *name)
{
    for (uint32_t i = 0; i < feeder->deeds->member_count; i++)
        if (feeder->deeds->members[i].origin == origin)
            return i;
    return fth_order_deeds_add_member(feeder->deeds, origin, name);
}

uint32_t fth_feeder_member(struct fth_order_feeder *feeder, int parameter, bool made)
{
    const struct fth_call *call = feeder->call;
    for (size_t i = 0; parameter >= 0 && i < call->use_count; i++) {
        const struct fth_handle_use *use = &call->uses[i];
        if (use->parameter != parameter || (use->deed == FTH_HANDLE_OPENED) != made)
            continue;
        const struct fth_handle *handle = use->handle;
        if (handle->number >= MOST_HANDLES || handle->origin == FTH_HANDLE_UNKNOWN_ORIGIN)
            return FTH_NO_MEMBER;
        feeder->members = fth_reach(feeder->members, &feeder->member_room, (uint32_t)handle->number,
                                    sizeof *feeder->members);
        uint32_t *known = &feeder->members[handle->number];
        if (*known)
            return *known - 1;
        enum fth_member_origin origin = made ? FTH_MEMBER_MADE : origin_of(handle);
        const char *name = handle->name ? handle->name : handle->path;
        uint32_t member = origin == FTH_MEMBER_SELF ? fth_feeder_only_member(feeder, origin, name)
                          : origin == FTH_MEMBER_WORLD && feeder->world != FTH_NO_MEMBER
                              ? feeder->world
                              : fth_order_deeds_add_member(feeder->deeds, origin, name);
        *known = member + 1;
        feeder->deeds->members[member].handle = handle->number;
        return member;
    }
    return FTH_NO_MEMBER;
}

struct fth_order_deed fth_feeder_deed(const struct fth_order_feeder *feeder,
                                      const struct fth_order_sense *sense,
                                      enum fth_order_deed_kind kind, struct fth_event begin)
{
    uint64_t number = feeder->call->number;
    return (struct fth_order_deed){.begin = begin,
                                   .end = {FTH_NO_STRAND, 0},
                                   .member = FTH_NO_MEMBER,
                                   .call = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX,
                                   .function = sense->function,
                                   .kind = (uint8_t)kind};
}

/* ---- messages ---- */

/* Of a call that is over when it returns: who sent it, and with which tag, from its status. */
static void learn_sender(const struct fth_order_feeder *feeder, int status,
                         struct fth_order_deed *deed)
{
    const struct fth_value *value = fth_feeder_value(feeder, status);
    if (!value || value->type != FTH_VALUE_INTEGERS || value->count < 2)
        return;
    const char *source = value->texts ? value->texts[0] : NULL,
               *tag = value->texts ? value->texts[1] : NULL;
    if (deed->peer == FTH_PEER_ANY)
        deed->peer = fth_feeder_peer(value->integers[0], source);
    if (deed->tag == FTH_TAG_ANY)
        deed->tag = fth_feeder_tag(value->integers[1], tag);
}

static void note_matched_receive(struct fth_order_feeder *feeder,
                                 const struct fth_order_sense *sense, struct fth_event begin)
{
    const struct fth_value *message = fth_feeder_value(feeder, sense->message);
    if (!message || message->type != FTH_VALUE_HANDLE || message->integer < 0 ||
        message->integer >= feeder->message_room || !feeder->messages[message->integer])
        return;
    uint32_t deed = feeder->messages[message->integer] - 1;
    feeder->messages[message->integer] = 0;
    feeder->deeds->deeds[deed].begin = begin;
}

static void note_message(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin)
{
    if (sense->message >= 0) {
        note_matched_receive(feeder, sense, begin);
        return;
    }
    int from = sense->sends && sense->receives ? 1 : 0, count = 0;
    uint32_t member = fth_feeder_member(feeder, sense->object, false);
    struct fth_order_deed deeds[2];
    if (sense->sends) {
        deeds[count] = fth_feeder_deed(feeder, sense, FTH_DEED_SEND, begin);
        deeds[count].peer = fth_feeder_peer_in(feeder, sense->peers[0]);
        deeds[count++].tag = fth_feeder_tag_in(feeder, sense->tags[0]);
    }
    if (sense->receives || sense->probes) {
        bool asks = sense->probes && sense->out_count > 0;
        if (asks && fth_feeder_integer(feeder, sense->outs[0], 0) == 0)
            return; /* nothing was there */
        /* a probe that takes the message out is a receive */
        bool takes = sense->receives || sense->matched >= 0;
        deeds[count] =
            fth_feeder_deed(feeder, sense, takes ? FTH_DEED_RECEIVE : FTH_DEED_PROBE, begin);
        deeds[count].peer = fth_feeder_peer_in(feeder, sense->peers[from]);
        deeds[count++].tag = fth_feeder_tag_in(feeder, sense->tags[from]);
        if (sense->started < 0)
            learn_sender(feeder, sense->status, &deeds[count - 1]);
    }
    for (int i = 0; i < count; i++) {
        deeds[i].member = member;
        deeds[i].flags = sense->both ? FTH_DEED_BOTH : 0;
    }
    if (sense->started >= 0) {
        fth_feeder_start(feeder, sense, deeds, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (deeds[i].peer == FTH_PEER_NOBODY)
            continue;
        uint32_t deed = fth_order_deeds_add(feeder->deeds, deeds[i]);
        fth_feeder_complete(feeder, deed);
        const struct fth_value *matched = fth_feeder_value(feeder, sense->matched);
        if (matched && matched->type == FTH_VALUE_HANDLE && matched->integer >= 0 &&
            matched->integer < MOST_HANDLES) {
            feeder->messages = fth_reach(feeder->messages, &feeder->message_room,
                                         (uint32_t)matched->integer, sizeof *feeder->messages);
            feeder->messages[matched->integer] = deed + 1;
        }
    }
}

/* ---- MPI up and down ---- */

static void note_world(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                       struct fth_event begin)
{
    feeder->deeds->finalized |= sense->is_finalize;
    if (feeder->world == FTH_NO_MEMBER)
        return;
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, FTH_DEED_COLLECTIVE, begin);
    deed.member = feeder->world;
    deed.function = sense->is_init ? UINT16_MAX : deed.function;
    uint32_t number = fth_order_deeds_add(feeder->deeds, deed);
    fth_order_deeds_chain(feeder->deeds, number);
    fth_feeder_complete(feeder, number);
}

/* ---- processes ---- */

/* Of wait and its kin: WUNTRACED and WSTOPPED are one, and WIFSTOPPED and WIFCONTINUED are
 * these. */
enum {
    NO_HANG = 1,
    STOPPED = 2,
    EXITED = 4,
    CONTINUED = 8,
    STAYS = 0x1000000,
    BY_PID = 1,
    HAS_STOPPED = 0x7f,
    HAS_CONTINUED = 0xffff,
};

/* The child that is over when the call returns; 0: it may have been stopped only, or it is not
 * known which one it is (of those that waitid tells, nothing is kept). */
static int64_t ended_child(const struct fth_order_feeder *feeder,
                           const struct fth_order_sense *sense, int64_t result)
{
    int64_t options = fth_feeder_integer(feeder, sense->options, 0);
    if (sense->idtype >= 0) {
        bool by_pid = fth_feeder_integer(feeder, sense->idtype, 0) == BY_PID;
        bool ended =
            (options & EXITED) && !(options & (STOPPED | CONTINUED | NO_HANG)) && result == 0;
        return by_pid && ended ? fth_feeder_integer(feeder, sense->id, 0) : 0;
    }
    int64_t otherwise = options & (STOPPED | CONTINUED) ? HAS_STOPPED : 0;
    int64_t status = fth_feeder_integer(feeder, sense->child_status, otherwise);
    return status == HAS_CONTINUED || (status & 0xff) == HAS_STOPPED ? 0 : result;
}

static void note_process(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                         struct fth_event begin)
{
    const struct fth_call *call = feeder->call;
    int64_t pid = call->result.type == FTH_VALUE_INTEGER ? call->result.integer : 0;
    bool has_handle = sense->deed == FTH_DEED_CHILD_BEGINS || sense->deed == FTH_DEED_CHILD_ENDS;
    if (sense->deed == FTH_DEED_FORK && sense->pid >= 0)
        pid = fth_feeder_integer(feeder, sense->pid, 0);
    if (sense->deed == FTH_DEED_REAP)
        pid = ended_child(feeder, sense, pid);
    if (has_handle && (!call->handle || call->handle->number >= INT32_MAX))
        return;
    if (has_handle)
        pid = (int64_t)call->handle->number + 1;
    if (sense->deed != FTH_DEED_CHILD && (pid <= 0 || pid > INT32_MAX))
        return;
    struct fth_order_deed deed = fth_feeder_deed(feeder, sense, sense->deed, begin);
    deed.peer = (int32_t)pid;
    deed.tag = sense->deed == FTH_DEED_REAP &&
               (fth_feeder_integer(feeder, sense->options, 0) & STAYS) != 0;
    fth_feeder_complete(feeder, fth_order_deeds_add(feeder->deeds, deed));
}

/* ---- all of it ---- */

void fth_feeder_note(struct fth_order_feeder *feeder, const struct fth_order_sense *sense,
                     struct fth_event begin)
{
    switch (sense->what) {
    case FTH_ORDERS_NOTHING:
    case FTH_ORDERS_LOCK:
    case FTH_ORDERS_CLOSE:
    case FTH_ORDERS_CLOSES:
    case FTH_ORDERS_SEEK:
    case FTH_ORDERS_PIPE:
    case FTH_ORDERS_THREAD:
    case FTH_ORDERS_MUTEX:
    case FTH_ORDERS_TRANSFER:
    case FTH_ORDERS_SHUT:
    case FTH_ORDERS_TALLY:
    case FTH_ORDERS_REMOTE:
        break;
    case FTH_ORDERS_MESSAGE:
        note_message(feeder, sense, begin);
        break;
    case FTH_ORDERS_START:
    case FTH_ORDERS_REQUEST:
    case FTH_ORDERS_DONE:
    case FTH_ORDERS_READY:
    case FTH_ORDERS_ARRIVED:
    case FTH_ORDERS_COMPLETION:
    case FTH_ORDERS_CANCEL:
    case FTH_ORDERS_CANCELLED:
    case FTH_ORDERS_FREE:
        fth_feeder_requests(feeder, sense, begin);
        break;
    case FTH_ORDERS_COLLECTIVE:
        fth_feeder_collective(feeder, sense, begin);
        break;
    case FTH_ORDERS_ALL_OF_WORLD:
        note_world(feeder, sense, begin);
        break;
    case FTH_ORDERS_GROUP:
    case FTH_ORDERS_FROM_GROUP:
    case FTH_ORDERS_PARENT:
    case FTH_ORDERS_TOLD:
        fth_feeder_group(feeder, sense, begin);
        break;
    case FTH_ORDERS_EPOCH:
        fth_feeder_epoch(feeder, sense, begin);
        break;
    case FTH_ORDERS_PROCESS:
        note_process(feeder, sense, begin);
        break;
    }
}

/* Records of the journal on their way to the next server, and the answers that wait for them. */
#include "fs/server/copies.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/kept_copy.h"
#include "fs/server/peer_link.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ALL_AGAIN UINT64_C(500000000)  /* ns: what was not taken is sent again */
#define LOOK_EVERY UINT64_C(500000000) /* ns: whether another server took a part over */

struct fth_copies_held {
    struct fth_copies_held *next;
    fth_copies_answer *answer;
    void *data;
    uint64_t number; /* of the message that has to be known */
    uint64_t until;
    int error;
    struct fth_bytes fields;
};

/* ---- records ---- */

static void take_records(void *data, const struct fth_bytes *records, bool are_all)
{
    struct fth_copies *copies = data;
    if (!copies->is_on)
        return;
    if (are_all) {
        copies->records.length = 0;
        copies->are_all = true;
        copies->wants_all = false;
    }
    fth_bytes_put(&copies->records, records->data, records->length);
}

struct sent_records {
    struct fth_copies *copies;
    uint64_t number, bytes; /* of all records, up to its end */
};

/* Who was started again, or was not reached, gets all of them. */
static void records_are_known(void *data, struct fth_peer_answer *answer)
{
    struct sent_records *sent = data;
    struct fth_copies *copies = sent->copies;
    if (!answer->error && sent->number > copies->known) {
        copies->known = sent->number;
        copies->known_bytes = sent->bytes;
    } else if (answer->error && copies->is_on && sent->number >= copies->all_number) {
        copies->wants_all = true;
        if (answer->error != ESTALE)
            copies->next_all = fth_peer_now() + ALL_AGAIN;
        if (answer->error == ENOTSUP)
            fth_copies_look(copies);
    }
    free(sent);
}

static void send_records(struct fth_copies *copies)
{
    struct fth_bytes fields = {.data = NULL};
    const struct fth_asker self = {.client = 0};
    struct sent_records *sent = fth_new(1, sizeof *sent);
    copies->number++;
    if (copies->are_all)
        copies->all_number = copies->number;
    copies->put_bytes += copies->records.length;
    *sent = (struct sent_records){copies, copies->number, copies->put_bytes};
    fth_bytes_varint(&fields, copies->number);
    fth_bytes_varint(&fields, copies->are_all);
    fth_bytes_put(&fields, copies->records.data, copies->records.length);
    copies->records.length = 0;
    copies->are_all = false;
    fth_peers_ask(copies->peers, fth_partner_of(copies->requests->instance),
                  FTH_MESSAGE_COPY_RECORDS, &self, &fields, FTH_PEER_SECONDS, records_are_known,
                  sent);
    fth_bytes_free(&fields);
}

static void send_what_there_is(struct fth_copies *copies)
{
    if (!copies->is_on)
        return;
    if (copies->wants_all && fth_peer_now() >= copies->next_all) {
        struct fth_bytes all = {.data = NULL};
        fth_published_put_all(copies->requests->published, &all);
        take_records(copies, &all, true);
        fth_bytes_free(&all);
    }
    if (copies->records.length || copies->are_all)
        send_records(copies);
}

/* ---- answers ---- */

void fth_copies_tell_lost(const struct fth_copies *copies, char why[FTH_COPIES_WHY])
{
    struct fth_met_node by;
    if (!fth_node_meeting_find(copies->requests->instance, copies->lost.by, &by))
        snprintf(by.name, sizeof by.name, "unknown");
    snprintf(why, FTH_COPIES_WHY,
             "this node, '%.150s' (server %u), was taken for lost, as it could not be heard for "
             "%.0f s: node '%.150s' has its part, and nothing is published from here any more",
             copies->lost.name, copies->lost.server, (double)FTH_BEAT_SILENCE / 1e9, by.name);
}

static bool may_give(const struct fth_copies *copies, uint64_t number)
{
    return copies->is_lost || !copies->is_on ||
           (copies->known >= number && fth_beats_have_lease(copies->beats));
}

static void give(const struct fth_copies *copies, fth_copies_answer *answer, void *data, int error,
                 const void *fields, size_t length)
{
    char why[FTH_COPIES_WHY];
    if (!copies->is_lost) {
        answer(data, error, fields, length);
        return;
    }
    fth_copies_tell_lost(copies, why);
    answer(data, EHOSTDOWN, why, strlen(why));
}

bool fth_copies_wait(struct fth_copies *copies)
{
    send_what_there_is(copies);
    return copies->first || copies->wants_all || !may_give(copies, copies->number);
}

void fth_copies_give(struct fth_copies *copies, fth_copies_answer *answer, void *data, int error,
                     const void *fields, size_t length)
{
    if (!fth_copies_wait(copies)) {
        give(copies, answer, data, error, fields, length);
        return;
    }
    struct fth_copies_held *made = fth_new(1, sizeof *made);
    *made =
        (struct fth_copies_held){.answer = answer,
                                 .data = data,
                                 .number = copies->number + copies->wants_all,
                                 .until = fth_peer_now() + FTH_PEER_SECONDS * UINT64_C(1000000000),
                                 .error = error};
    fth_bytes_put(&made->fields, fields, length);
    *copies->last = made;
    copies->last = &made->next;
}

static struct fth_copies_held *take_first(struct fth_copies *copies)
{
    struct fth_copies_held *one = copies->first;
    copies->first = one->next;
    if (!copies->first)
        copies->last = &copies->first;
    return one;
}

/* It may be done or not, as where a server does not answer. */
static void give_late(const struct fth_copies *copies, const struct fth_copies_held *one)
{
    char why[FTH_PEER_WHY];
    struct fth_met_node node;
    uint32_t partner = fth_partner_of(copies->requests->instance);
    if (!fth_node_meeting_find(copies->requests->instance, partner, &node))
        snprintf(node.name, sizeof node.name, "unknown");
    if (!fth_peers_tell_no_lease(copies->peers, why))
        snprintf(why, sizeof why,
                 "waited %d s for node '%.150s' (server %u) to have the copy of what was changed",
                 FTH_PEER_SECONDS, node.name, partner);
    one->answer(one->data, EHOSTDOWN, why, strlen(why));
}

static void give_held(struct fth_copies *copies)
{
    uint64_t now = copies->first ? fth_peer_now() : 0;
    while (copies->first) {
        bool may = may_give(copies, copies->first->number);
        if (!may && now < copies->first->until)
            return;
        struct fth_copies_held *one = take_first(copies);
        if (may)
            give(copies, one->answer, one->data, one->error, one->fields.data, one->fields.length);
        else
            give_late(copies, one);
        fth_bytes_free(&one->fields);
        free(one);
    }
}

/* ---- the loss of a node ---- */

bool fth_copies_look(struct fth_copies *copies)
{
    const struct fth_fs_instance *instance = copies->requests->instance;
    if (!copies->is_on || !fth_node_meeting_lost(instance, &copies->lost))
        return !copies->is_on;
    copies->is_on = false;
    copies->is_lost = copies->lost.server == instance->server;
    if (copies->is_lost) {
        fth_instance_call_lost(instance);
        fth_peers_refuse(copies->peers);
    }
    fth_kept_copy_close(copies->requests->kept); /* another server may have it from now on */
    fprintf(stderr,
            "fathom fs: node '%s' (server %u) is lost: server %u has taken its part over, "
            "and there is one copy of what is published from now on\n",
            copies->lost.name, copies->lost.server, copies->lost.by);
    return true;
}

static void call_lost(struct fth_copies *copies)
{
    struct fth_error *error = NULL;
    const struct fth_fs_instance *instance = copies->requests->instance;
    if (!fth_beats_are_silent(copies->beats))
        return;
    if (fth_node_meeting_lose(instance, fth_copied_by(instance), &error) < 0) {
        fprintf(stderr, "fathom fs: %s\n", fth_error_text(error));
        fth_error_free(error);
        fth_beats_watch_again(copies->beats);
    } else {
        fth_copies_look(copies);
    }
}

void fth_copies_step(struct fth_copies *copies)
{
    uint64_t now = fth_peer_now();
    if (copies->is_on) {
        call_lost(copies);
        if (fth_beats_lost(copies->beats))
            fth_copies_look(copies);
    } else if (!copies->is_lost && now >= copies->next_look) {
        copies->next_look = now + LOOK_EVERY;
        if (copies->lost.by == copies->requests->instance->server)
            copies->take_over(copies->requests->instance);
        fth_peers_find_again(copies->peers, copies->lost.server);
    }
    send_what_there_is(copies);
    give_held(copies);
}

/* ---- */

int fth_copies_begin(struct fth_copies *copies, struct fth_requests *requests,
                     struct fth_peers *peers, int listening, fth_copies_take_over *take_over,
                     struct fth_error **error)
{
    bool is_again;
    *copies = (struct fth_copies){.requests = requests,
                                  .peers = peers,
                                  .take_over = take_over,
                                  .is_on = true,
                                  .wants_all = true};
    copies->last = &copies->first;
    copies->number = fth_peer_now(); /* above those of an earlier server of this node */
    requests->kept = fth_kept_copy_open(requests->instance, &is_again, error);
    if (!requests->kept)
        return -1;
    copies->beats = fth_beats_begin(requests->instance, listening, is_again, error);
    if (!copies->beats)
        return -1;
    requests->published->journal.copy = take_records;
    requests->published->journal.copy_data = copies;
    fth_copies_look(copies);
    return 0;
}

void fth_copies_end(struct fth_copies *copies)
{
    while (copies->first) {
        struct fth_copies_held *one = take_first(copies);
        one->answer(one->data, EHOSTDOWN, "the server of this node ends", 28);
        fth_bytes_free(&one->fields);
        free(one);
    }
    if (copies->beats)
        fth_beats_end(copies->beats);
    fth_kept_copy_free(copies->requests->kept);
    copies->requests->kept = NULL;
    fth_bytes_free(&copies->records);
}

/* The thread that tells and hears which nodes live. */
#include "fs/server/beats.h"

#include "base/memory.h"
#include "fs/server/node_network.h"
#include "fs/server/peer_link.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MILLISECOND UINT64_C(1000000)
#define WRITE_WAIT (2 * FTH_BEAT_SILENCE)

enum {
    EVERY_MS = 250,        /* a beat */
    WAIT_MS = 100,         /* for one */
    COUNTED_MOST_MS = 200, /* of a round: a process that was stopped has not listened */
    LOOK_MS = 500,         /* whether somebody is lost */
    FIND_MS = 1000,        /* where the partner listens by now, if it says nothing */
    PAUSE_MS = 50,
};

/* WORD: what a beat is to have to be heard. */
enum kind { BEAT = 1, HEARD, WORD };

/* In place of challenges, so that the proof of the secret is one of all of it (secret.h). */
struct beat {
    uint8_t head[FTH_CHALLENGE_BYTES];
    uint8_t time[FTH_CHALLENGE_BYTES]; /* when it was asked, by that one's clock */
    uint8_t proof[FTH_PROOF_BYTES];
};

struct head {
    uint32_t kind, from, to, zero;
    uint64_t start; /* of who asks */
    uint64_t word;  /* of who hears */
};
_Static_assert(sizeof(struct head) == FTH_CHALLENGE_BYTES, "it fills its place");

enum state { WATCHES, IS_SILENT };

struct fth_beats {
    const struct fth_fs_instance *instance;
    pthread_t thread;
    int socket;
    uint64_t start; /* at random, of this process */
    _Atomic uint64_t lease_until;
    _Atomic uint32_t lost; /* + 1 */
    _Atomic uint32_t state;
    _Atomic bool ends;
    /* of the thread */
    bool watches; /* the server before it has been there */
    uint64_t silence, next_beat, next_look, next_find;
    uint64_t heard_start, heard_time; /* the last beat */
    uint64_t own_word;                /* for beats of heard_start; another one for the next start */
    uint64_t word, word_time;         /* of the partner: the last one, and to which beat */
    struct fth_met_node partner;
};

/* Of this process, for what writes; it ends with the process. */
static struct fth_beats *own;

static bool lease_is_good(const struct fth_beats *beats, uint64_t now)
{
    return now < atomic_load(&beats->lease_until);
}

/* When one node is lost, no other part is taken over any more. */
bool fth_beats_have_lease(const struct fth_beats *beats)
{
    uint32_t lost = atomic_load(&beats->lost);
    return lost ? lost - 1 != beats->instance->server : lease_is_good(beats, fth_peer_now());
}

bool fth_beats_lack_lease(uint64_t *since)
{
    if (!own || atomic_load(&own->lost) || fth_beats_have_lease(own))
        return false;
    *since = atomic_load(&own->lease_until);
    return true;
}

uint32_t fth_beats_lost(const struct fth_beats *beats)
{
    return atomic_load(&beats->lost);
}

bool fth_beats_are_silent(const struct fth_beats *beats)
{
    return atomic_load(&beats->state) == IS_SILENT && !atomic_load(&beats->lost);
}

void fth_beats_watch_again(struct fth_beats *beats)
{
    atomic_store(&beats->state, WATCHES);
}

void fth_beats_forked(void)
{
    own = NULL;
}

bool fth_beats_wait_to_write(void)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000};
    uint64_t end = 0;
    while (own && !fth_beats_have_lease(own)) {
        uint64_t now = fth_peer_now();
        end = end ? end : now + WRITE_WAIT;
        if (atomic_load(&own->lost) || now >= end)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

/* ---- messages ---- */

static uint64_t at_random(void)
{
    uint64_t number;
    return getrandom(&number, sizeof number, 0) == sizeof number ? number : fth_peer_now();
}

static const char *side_of(uint32_t kind)
{
    return kind == BEAT ? "beat" : kind == HEARD ? "heard" : "word";
}

static void write_beat(const struct fth_beats *beats, struct beat *beat, const struct head *head,
                       uint64_t time)
{
    *beat = (struct beat){.head = {0}};
    memcpy(beat->head, head, sizeof *head);
    memcpy(beat->time, &time, sizeof time);
    fth_secret_prove(beats->instance->secret, side_of(head->kind), beat->head, beat->time,
                     beat->proof);
}

static bool read_beat(const struct fth_beats *beats, const struct beat *beat, struct head *head,
                      uint64_t *time)
{
    memcpy(head, beat->head, sizeof *head);
    memcpy(time, beat->time, sizeof *time);
    return head->kind >= BEAT && head->kind <= WORD && head->to == beats->instance->server &&
           fth_secret_proved(beats->instance->secret, side_of(head->kind), beat->head, beat->time,
                             beat->proof);
}

static void send_beat(struct fth_beats *beats, uint64_t now)
{
    uint32_t partner = fth_partner_of(beats->instance);
    const struct head head = {.kind = BEAT,
                              .from = beats->instance->server,
                              .to = partner,
                              .start = beats->start,
                              .word = beats->word};
    struct beat beat;
    if (now >= beats->next_find && !lease_is_good(beats, now)) {
        beats->next_find = now + FIND_MS * MILLISECOND;
        if (!fth_node_meeting_find(beats->instance, partner, &beats->partner))
            beats->partner.port = 0;
    }
    if (!beats->partner.port)
        return;
    write_beat(beats, &beat, &head, now);
    fth_node_send_beat(beats->socket, &beats->partner, &beat, sizeof beat);
}

struct sender {
    struct sockaddr_storage address;
    socklen_t length;
};

static void answer(const struct fth_beats *beats, enum kind kind, const struct head *head,
                   uint64_t time, const struct sender *sender)
{
    const struct head answered = {.kind = kind,
                                  .from = head->to,
                                  .to = head->from,
                                  .start = head->start,
                                  .word = beats->own_word};
    struct beat beat;
    write_beat(beats, &beat, &answered, time);
    sendto(beats->socket, &beat, sizeof beat, MSG_NOSIGNAL | MSG_DONTWAIT,
           (const struct sockaddr *)&sender->address, sender->length);
}

/* A beat that was kept on its way has an older time, or the word for an earlier server of that
 * node, or of an earlier server of this one. */
static void take_beat(struct fth_beats *beats, const struct head *head, uint64_t time,
                      const struct sender *sender)
{
    bool is_lost =
        atomic_load(&beats->state) == IS_SILENT || atomic_load(&beats->lost) == head->from + 1;
    if (head->from != fth_copied_by(beats->instance) || is_lost)
        return;
    if (head->word != beats->own_word) {
        answer(beats, WORD, head, time, sender);
        return;
    }
    if (head->start != beats->heard_start)
        beats->own_word = at_random();
    else if (time <= beats->heard_time)
        return;
    beats->watches = true;
    beats->silence = 0;
    beats->heard_start = head->start;
    beats->heard_time = time;
    answer(beats, HEARD, head, time, sender);
}

/* What a beat was answered with, if it is newer than the last answer. */
static void take_answer(struct fth_beats *beats, const struct head *head, uint64_t time)
{
    if (head->from != fth_partner_of(beats->instance) || head->start != beats->start ||
        time > fth_peer_now() || time <= beats->word_time)
        return;
    beats->word = head->word;
    beats->word_time = time;
    if (head->kind == HEARD)
        atomic_store(&beats->lease_until, time + FTH_BEAT_LEASE);
    else
        beats->next_beat = 0;
}

static void receive(struct fth_beats *beats)
{
    struct sender sender;
    struct beat beat;
    struct head head;
    uint64_t time;
    for (;;) {
        sender.length = sizeof sender.address;
        ssize_t count = recvfrom(beats->socket, &beat, sizeof beat, MSG_DONTWAIT | MSG_TRUNC,
                                 (struct sockaddr *)&sender.address, &sender.length);
        if (count < 0)
            return;
        if (count != sizeof beat || !read_beat(beats, &beat, &head, &time))
            continue;
        if (head.kind == BEAT)
            take_beat(beats, &head, time, &sender);
        else
            take_answer(beats, &head, time);
    }
}

/* ---- rounds ---- */

static void look_for_lost(struct fth_beats *beats)
{
    struct fth_lost_node lost;
    if (!atomic_load(&beats->lost) && fth_node_meeting_lost(beats->instance, &lost))
        atomic_store(&beats->lost, lost.server + 1);
}

/* From when it has come to where servers meet: it may be lost before it is heard first. */
static void begin_to_watch(struct fth_beats *beats)
{
    struct fth_met_node node;
    beats->watches = fth_node_meeting_find(beats->instance, fth_copied_by(beats->instance), &node);
}

/* Of two servers, the one that finds the place where they meet first remains. */
static bool may_take_over(const struct fth_beats *beats, uint64_t now)
{
    return beats->instance->server_count == 2 || lease_is_good(beats, now);
}

static void count_silence(struct fth_beats *beats, uint64_t elapsed, uint64_t now)
{
    uint64_t most = COUNTED_MOST_MS * MILLISECOND;
    if (!beats->watches || atomic_load(&beats->lost) || atomic_load(&beats->state) == IS_SILENT)
        return;
    beats->silence += elapsed < most ? elapsed : most;
    if (beats->silence >= FTH_BEAT_SILENCE && may_take_over(beats, now)) {
        beats->silence = 0;
        atomic_store(&beats->state, IS_SILENT);
    }
}

static void *run(void *data)
{
    struct fth_beats *beats = data;
    uint64_t before = fth_peer_now();
    while (!atomic_load(&beats->ends)) {
        struct pollfd polled = {.fd = beats->socket, .events = POLLIN};
        uint64_t now = fth_peer_now();
        if (now >= beats->next_beat && !atomic_load(&beats->lost)) {
            beats->next_beat = now + EVERY_MS * MILLISECOND;
            send_beat(beats, now);
        }
        if (now >= beats->next_look) {
            beats->next_look = now + LOOK_MS * MILLISECOND;
            look_for_lost(beats);
            if (!beats->watches)
                begin_to_watch(beats);
        }
        poll(&polled, 1, WAIT_MS);
        receive(beats);
        now = fth_peer_now();
        count_silence(beats, now - before, now);
        before = now;
    }
    return NULL;
}

struct fth_beats *fth_beats_begin(const struct fth_fs_instance *instance, int listening,
                                  bool is_again, struct fth_error **error)
{
    struct fth_beats *beats = fth_new(1, sizeof *beats);
    beats->instance = instance;
    beats->watches = is_again;
    beats->socket = fth_node_beat_socket(listening);
    if (beats->socket < 0) {
        free(beats);
        fth_fail_errno(error, "the server cannot tell the next one that it lives");
        return NULL;
    }
    beats->start = at_random();
    beats->own_word = at_random();
    look_for_lost(beats);
    if (pthread_create(&beats->thread, NULL, run, beats)) {
        close(beats->socket);
        free(beats);
        fth_fail(error, "the server cannot make a thread");
        return NULL;
    }
    own = beats;
    return beats;
}

void fth_beats_end(struct fth_beats *beats)
{
    own = NULL;
    atomic_store(&beats->ends, true);
    pthread_join(beats->thread, NULL);
    close(beats->socket);
    free(beats);
}

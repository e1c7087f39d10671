/* Parts of requests: of the servers of other nodes, and of this one. */
#include "fs/server/parts.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* One that is being answered. */
struct fth_parts_job {
    struct fth_parts_job *next;
    struct fth_parts *parts;
    uint8_t kind;
    fth_part_done *done;
    void *data;
};

static void take_out(struct fth_parts_job *job)
{
    struct fth_parts_job **at = &job->parts->first;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
}

/* What says nothing that the next server has to know. */
static bool is_given_at_once(uint8_t kind)
{
    return kind == FTH_MESSAGE_FETCH || kind == FTH_MESSAGE_STATUS || kind == FTH_MESSAGE_LOSSES ||
           kind == FTH_MESSAGE_DISCARD || kind == FTH_MESSAGE_COPY_BYTES ||
           kind == FTH_MESSAGE_COPY_RECORDS;
}

static bool changes_files(uint8_t kind)
{
    return kind == FTH_MESSAGE_WRITE || kind == FTH_MESSAGE_HIDE || kind == FTH_MESSAGE_SHOW;
}

static void end_job(struct fth_parts_job *job, const struct fth_bytes *answer)
{
    enum { HEAD = FTH_MESSAGE_LENGTH + 1 };
    struct fth_copies *copies = job->parts->copies;
    int error = answer->data[FTH_MESSAGE_LENGTH];
    take_out(job);
    if (copies && !is_given_at_once(job->kind))
        fth_copies_give(copies, job->done, job->data, error, answer->data + HEAD,
                        answer->length - HEAD);
    else
        job->done(job->data, error, answer->data + HEAD, answer->length - HEAD);
    free(job);
}

static void answer_later(void *data, uint64_t connection, struct fth_bytes *answer)
{
    (void)data;
    end_job((struct fth_parts_job *)(uintptr_t)connection, answer);
}

void fth_parts_do(struct fth_parts *parts, uint8_t kind, const struct fth_asker *asker,
                  const struct fth_bytes *fields, fth_part_done *done, void *data)
{
    struct fth_view view = fth_view_of(fields->data, fields->length);
    struct fth_bytes answer = parts->answer; /* `done` may ask for more */
    struct fth_parts_job *job = fth_new(1, sizeof *job);
    int none = -1;
    *job = (struct fth_parts_job){parts->first, parts, kind, done, data};
    parts->first = job;
    parts->answer = (struct fth_bytes){.data = NULL};
    bool may_not = changes_files(kind) && !fth_beats_wait_to_write();
    if (may_not)
        fth_fs_message_begin(&answer, EHOSTDOWN);
    if (may_not ||
        fth_flushes_request(&parts->flushes, (uintptr_t)job, asker, kind, &view, &none, &answer))
        end_job(job, &answer);
    if (parts->answer.data)
        fth_bytes_free(&answer);
    else
        parts->answer = answer;
}

bool fth_parts_step(struct fth_parts *parts)
{
    return fth_flushes_step(&parts->flushes);
}

/* ---- writing elsewhere ---- */

static void wrote_elsewhere(void *data, struct fth_peer_answer *answer)
{
    char why[512] = "";
    uint64_t bytes = answer->error ? 0 : fth_view_varint(&answer->fields);
    if (answer->error == EHOSTDOWN)
        snprintf(why, sizeof why, "%s", answer->why);
    else if (answer->error)
        snprintf(why, sizeof why,
                 "the server number %u could not write what is in buffers of its "
                 "node: %s (the log of its instance says more)",
                 answer->server, strerror(answer->error));
    fth_stage_answered(data, bytes, answer->error, why);
}

static void write_elsewhere(void *data, uint32_t server, const struct fth_bytes *fields,
                            struct fth_stage_asked *asked)
{
    const struct fth_parts *parts = data;
    const struct fth_asker self = {.client = 0};
    fth_peers_ask(parts->peers, server, FTH_MESSAGE_WRITE, &self, fields, FTH_PEER_PIECE_SECONDS,
                  wrote_elsewhere, asked);
}

/* ---- of other servers ---- */

struct asked_of {
    struct fth_parts *parts;
    struct fth_peer_question question;
};

static void reply(void *data, int error, const void *fields, size_t length)
{
    struct asked_of *asked = data;
    fth_peers_reply(asked->parts->peers, &asked->question, error, fields, length);
    free(asked);
}

static void take_question(void *data, const struct fth_peer_question *question, uint8_t kind,
                          const struct fth_asker *asker, struct fth_view *fields)
{
    struct fth_parts *parts = data;
    struct asked_of *asked = fth_new(1, sizeof *asked);
    *asked = (struct asked_of){parts, *question};
    struct fth_bytes copy = {.data = NULL};
    fth_bytes_put(&copy, fields->at, fth_view_left(fields));
    fth_parts_do(parts, kind, asker, &copy, reply, asked);
    fth_bytes_free(&copy);
}

int fth_parts_begin(struct fth_parts *parts, struct fth_requests *requests, int listening,
                    struct fth_error **error)
{
    *parts = (struct fth_parts){.requests = requests};
    fth_flushes_begin(&parts->flushes, requests, answer_later, NULL);
    parts->flushes.elsewhere = (struct fth_flush_elsewhere){write_elsewhere, parts};
    if (!requests->published->known)
        return fth_fail(error, "the list of known files is not there");
    fth_known_files_add_all(requests->published->known);
    requests->published->servers = requests->instance->server_count;
    requests->published->server = requests->instance->server;
    parts->peers = fth_peers_begin(requests->instance, listening, take_question, parts, error);
    return parts->peers ? 0 : -1;
}

void fth_parts_end(struct fth_parts *parts)
{
    fth_peers_end(parts->peers);
    fth_flushes_end(&parts->flushes);
    while (parts->first) {
        struct fth_parts_job *job = parts->first;
        take_out(job);
        free(job);
    }
    fth_bytes_free(&parts->answer);
}

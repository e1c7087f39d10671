/* Parts of requests, and those that have to wait for their turn: what writes files to the folder
 * below goes one after the other, and so does what a write that is on its way would undo. */
#include "fs/server/parts.h"

#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"
#include "fs/server/stage_out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct fth_parts_job {
    struct fth_parts_job *next;
    struct fth_parts *parts;
    uint8_t kind;
    struct fth_asker asker;
    struct fth_bytes fields;
    fth_part_done *done;
    void *data;
    struct fth_staging staging;
};

static void do_now(struct fth_parts *parts, uint8_t kind, const struct fth_asker *asker,
                   const struct fth_bytes *fields, fth_part_done *done, void *data)
{
    enum { HEAD = FTH_MESSAGE_LENGTH + 1 };
    struct fth_view view = fth_view_of(fields->data, fields->length);
    struct fth_bytes answer = parts->answer; /* `done` may ask for more */
    parts->answer = (struct fth_bytes){.data = NULL};
    fth_requests_answer_part(parts->requests, asker, kind, &view, &answer);
    done(data, answer.data[FTH_MESSAGE_LENGTH], answer.data + HEAD, answer.length - HEAD);
    if (parts->answer.data)
        fth_bytes_free(&answer);
    else
        parts->answer = answer;
}

/* ---- writing out ---- */

static void go_on(struct fth_parts *parts);

static void free_job(struct fth_parts_job *job)
{
    fth_error_free(job->staging.error);
    fth_bytes_free(&job->staging.shared);
    fth_bytes_free(&job->fields);
    free(job);
}

static void end_first(struct fth_parts *parts)
{
    struct fth_parts_job *job = parts->first;
    parts->first = job->next;
    if (!parts->first)
        parts->last = &parts->first;
    parts->runs = false;
    free_job(job);
}

static void wrote_out(struct fth_staging *staging)
{
    struct fth_parts_job *job = staging->data;
    struct fth_parts *parts = job->parts;
    struct fth_bytes fields = {.data = NULL};
    const char *why = staging->error ? fth_error_text(staging->error) : NULL;
    if (why)
        fprintf(stderr, "fathom fs: %s\n", why);
    fth_bytes_varint(&fields, staging->done.files);
    fth_bytes_varint(&fields, staging->done.bytes);
    fth_bytes_put(&fields, staging->shared.data, staging->shared.length);
    job->done(job->data, why ? EIO : 0, why ? (const uint8_t *)why : fields.data,
              why ? strlen(why) : fields.length);
    fth_bytes_free(&fields);
    end_first(parts);
    go_on(parts);
}

static void wrote_elsewhere(void *data, struct fth_peer_answer *answer)
{
    char why[512];
    bool lost = answer->error == EHOSTDOWN;
    if (answer->error == ENOENT) {
        fth_staging_gone(data, answer->server);
        return;
    }
    uint64_t bytes = answer->error ? 0 : fth_view_varint(&answer->fields);
    if (lost)
        snprintf(why, sizeof why, "%s", answer->why);
    else
        snprintf(why, sizeof why,
                 "the server number %u could not write what is in buffers of its "
                 "node: %s (the log of its instance says more)",
                 answer->server, strerror(answer->error));
    fth_staging_answered(data, answer->server, bytes, answer->error ? why : NULL, lost);
}

static void write_elsewhere(void *data, uint32_t server, const struct fth_bytes *fields,
                            struct fth_staging *staging)
{
    const struct fth_parts_job *job = data;
    const struct fth_asker self = {.client = 0};
    fth_peers_ask(job->parts->peers, server, FTH_MESSAGE_WRITE, &self, fields,
                  FTH_PEER_LONG_SECONDS, wrote_elsewhere, staging);
}

static bool read_of(struct fth_parts_job *job)
{
    struct fth_view view = fth_view_of(job->fields.data, job->fields.length);
    struct fth_stage_out_of *of = &job->staging.of;
    of->length = fth_view_varint(&view);
    of->path = (const char *)fth_view_bytes(&view, of->length);
    uint64_t owner = fth_view_varint(&view);
    of->owner = (uint32_t)owner;
    if (!of->length)
        of->path = NULL;
    return !view.failed && owner <= UINT32_MAX;
}

static void write_out(struct fth_parts_job *job)
{
    struct fth_parts *parts = job->parts;
    job->staging = (struct fth_staging){.published = parts->requests->published,
                                        .instance = parts->requests->instance,
                                        .elsewhere = write_elsewhere,
                                        .ended = wrote_out,
                                        .data = job};
    if (read_of(job)) {
        fth_staging_start(&job->staging);
        return;
    }
    job->done(job->data, EBADMSG, "", 0);
    end_first(parts);
}

/* ---- turns ---- */

static void go_on(struct fth_parts *parts)
{
    if (parts->is_going_on)
        return;
    parts->is_going_on = true;
    while (parts->first && !parts->runs) {
        struct fth_parts_job *job = parts->first;
        parts->runs = true;
        if (job->kind == FTH_MESSAGE_WRITE_OUT) {
            write_out(job);
            continue;
        }
        do_now(parts, job->kind, &job->asker, &job->fields, job->done, job->data);
        end_first(parts);
    }
    parts->is_going_on = false;
}

static bool has_turn(const struct fth_parts *parts, uint8_t kind)
{
    return kind == FTH_MESSAGE_WRITE_OUT ||
           (parts->first && (kind == FTH_MESSAGE_TRUNCATE || kind == FTH_MESSAGE_FORGET));
}

void fth_parts_do(struct fth_parts *parts, uint8_t kind, const struct fth_asker *asker,
                  const struct fth_bytes *fields, fth_part_done *done, void *data)
{
    if (!has_turn(parts, kind)) {
        do_now(parts, kind, asker, fields, done, data);
        return;
    }
    struct fth_parts_job *job = fth_new(1, sizeof *job);
    *job = (struct fth_parts_job){
        .parts = parts, .kind = kind, .asker = *asker, .done = done, .data = data};
    fth_bytes_put(&job->fields, fields->data, fields->length);
    *parts->last = job;
    parts->last = &job->next;
    go_on(parts);
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
    parts->last = &parts->first;
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
    while (parts->first)
        end_first(parts);
    fth_bytes_free(&parts->answer);
}

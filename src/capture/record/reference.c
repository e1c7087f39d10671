/* The log of every recorded call, written into mapped memory, so that what a killed process did is
 * there as well. */
#include "capture/record/reference.h"

#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/process/spill_folder.h"
#include "capture/record/stop.h"
#include "capture/record/stream.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 1 << 20,        /* bytes of the file that are mapped at a time */
    LONGEST_LINE = 48 << 10, /* a list of FTH_LONGEST_LIST integers, in hexadecimal digits */
    MAP_UNIT = 64 << 10,     /* a multiple of any page size */
};

bool fth_reference_is_kept;
uint64_t fth_reference_least_ticks = UINT64_MAX;

static char folder[FTH_LONGEST_SPILL];

void fth_reference_start(void)
{
    const char *given = fth_setting(FTH_SETTING_NAME(REFERENCE));
    if (!given || *given != '/' || strlen(given) >= sizeof folder)
        return;
    strcpy(folder, given);
    fth_reference_is_kept = true;
    fth_reference_least_ticks = fth_least_ticks;
    fth_least_ticks = UINT64_MAX;
}

/* ---- the file ---- */

struct opening {
    const struct fth_stream *stream;
    uint64_t place;
    char *start; /* NULL: it failed */
    int error;
};

static void map_window(void *argument)
{
    struct opening *opening = argument;
    char path[FTH_LONGEST_SPILL + 64], *at = fth_put_text(fth_put_text(path, folder), "/");
    at = fth_put_text(fth_put_image(at, fth_process->image), ".");
    fth_put_text(fth_put_decimal(at, opening->stream->number), ".reference");
    int file = fth_file_make(path, &opening->error);
    if (file < 0)
        return;
    opening->start = fth_file_map(file, opening->place, WINDOW, &opening->error);
    fth_file_close(file);
}

void fth_reference_close(struct fth_stream *stream)
{
    if (stream->reference.start)
        fth_unmap(stream->reference.start, WINDOW);
    stream->reference = (struct fth_reference){0};
}

/* Where the next line goes; NULL: nowhere, which ends the recording. */
static char *room(struct fth_stream *stream)
{
    struct fth_reference *log = &stream->reference;
    if (log->start && log->start + WINDOW - log->at >= LONGEST_LINE)
        return log->at;
    uint64_t used = log->place + (uint64_t)(log->at - log->start);
    struct opening made = {.stream = stream, .place = used / MAP_UNIT * MAP_UNIT};
    fth_apart(map_window, &made);
    if (!made.start) {
        fth_recording_stops(made.error);
        return NULL;
    }
    fth_reference_close(stream);
    *log = (struct fth_reference){
        .start = made.start, .at = made.start + (used - made.place), .place = made.place};
    return log->at;
}

/* ---- lines ---- */

static char *put_integer(char *to, int64_t integer)
{
    to = fth_put_text(to, integer < 0 ? " -" : " ");
    return fth_put_decimal(to, integer < 0 ? 0 - (uint64_t)integer : (uint64_t)integer);
}

void fth_reference_text(struct fth_recorder *recorder, int64_t number, const void *bytes,
                        size_t length)
{
    const uint8_t *from = bytes;
    char *to = number ? room(recorder->stream) : NULL;
    if (!to)
        return;
    to = put_integer(fth_put_text(to, "t"), number);
    *to++ = ' ';
    for (size_t i = 0; i < length; i++) {
        *to++ = "0123456789abcdef"[from[i] >> 4];
        *to++ = "0123456789abcdef"[from[i] & 15];
    }
    recorder->stream->reference.at = fth_put_text(to, "\n");
}

/* A line counts when its first byte is there. */
void fth_reference_call(const struct fth_draft *draft)
{
    struct fth_stream *stream = draft->recorder->stream;
    char *to = room(stream);
    if (!to)
        return;
    *to++ = 0;
    to = put_integer(to, stream->thread);
    to = put_integer(to, stream->tid);
    to = put_integer(to, (int64_t)(draft->head & 0xffff));
    to = put_integer(to, (int64_t)(draft->head >> 16 & 0xff));
    to = put_integer(to, (int64_t)(draft->head >> 24 & 0xff));
    to = put_integer(to, (int64_t)draft->begin);
    to = put_integer(to, (int64_t)draft->end);
    to = put_integer(to, draft->asked);
    for (int i = 0; i < draft->count; i++)
        to = put_integer(to, i == draft->predicted ? draft->position : draft->values[i]);
    stream->reference.pending = fth_put_text(to, "\n");
}

void fth_reference_settle(struct fth_recorder *recorder, bool recorded)
{
    struct fth_reference *log = &recorder->stream->reference;
    if (!log->pending)
        return;
    if (recorded) {
        *(volatile char *)log->at = 'c';
        log->at = log->pending;
    } else {
        memset(log->at, 0, (size_t)(log->pending - log->at));
    }
    log->pending = NULL;
}

/* Calls of the recorder's own: what a slot is bound to, where relative paths start, what writes
 * carry. */
#include "capture/record/recorder_notes.h"

#include "interpose/own/put.h"

#include <string.h>

/* A draft at the depth of `draft`, without time of its own: it begins at 0. Calls inside the call
 * that it is for were deeper: it must not look like their parent. */
static struct fth_draft *begin_note(struct fth_recorder *recorder, uint32_t depth,
                                    uint32_t function)
{
    struct fth_draft *note = &recorder->noting;
    *note = (struct fth_draft){.recorder = recorder,
                               .values = (int64_t *)&recorder->note[1],
                               .head = function | (uint64_t)depth << 16,
                               .predicted = -1,
                               .worked = true};
    return note;
}

static uint32_t depth_of(const struct fth_draft *draft)
{
    return (uint32_t)(draft->head >> 16) & 0xff;
}

/* generated: functions of catalog/fathom.calls and contents.calls */
extern const unsigned fth_note_bind, fth_note_cwd, fth_note_contents, fth_note_stood;

bool fth_record_binding(struct fth_draft *draft, const char *class_name, int32_t slot,
                        int64_t number, const char *name, size_t length)
{
    struct fth_draft *note = begin_note(draft->recorder, depth_of(draft), fth_note_bind);
    note->site = slot;
    fth_keep(note, fth_text(note, class_name));
    fth_keep(note, slot);
    fth_keep(note, number);
    fth_keep(note, fth_bytes_as_text(note, name, length));
    return fth_record_in_full(note);
}

void fth_record_connection(struct fth_draft *draft, int32_t slot, const char *text)
{
    fth_record_binding(draft, FTH_PATH_OF "fd", slot, 0, text, strlen(text));
}

bool fth_record_directory(struct fth_draft *draft, const char *path)
{
    struct fth_draft *note = begin_note(draft->recorder, depth_of(draft), fth_note_cwd);
    fth_keep(note, fth_text(note, path));
    return fth_record_in_full(note);
}

void fth_record_contents(struct fth_recorder *recorder, uint32_t depth, uint64_t hash,
                         int64_t bytes)
{
    struct fth_draft *note = begin_note(recorder, depth, fth_note_contents);
    fth_keep(note, (int64_t)hash);
    fth_keep(note, bytes);
    fth_record_in_full(note);
}

void fth_record_standing(struct fth_draft *draft, int64_t at)
{
    struct fth_draft *note = begin_note(draft->recorder, depth_of(draft), fth_note_stood);
    fth_keep(note, at);
    fth_record_in_full(note);
}

void fth_record_start(struct fth_recorder *recorder, bool is_made, uint32_t number)
{
    struct fth_draft *note = begin_note(recorder, recorder->depth, fth_note_bind);
    char name[32];
    fth_put_decimal(fth_put_text(name, "start "), number);
    note->site = -1;
    fth_keep(note, fth_text(note, FTH_START_CLASS));
    fth_keep(note, is_made ? FTH_START_MADE : FTH_START_FOLLOWED);
    fth_keep(note, 0);
    fth_keep(note, fth_text(note, name));
    fth_record_in_full(note);
}

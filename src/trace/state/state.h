/* What a reader knows of a thread while it goes through its calls in order of exit: what slots are
 * bound to, where the next access of each is expected, the working directory. It mirrors what the
 * thread's recorder knew when it wrote (capture/record/runtime.h); both follow the rules in
 * docs/format.md. */
#ifndef FTH_TRACE_STATE_STATE_H
#define FTH_TRACE_STATE_STATE_H

#include "trace/names/known_names.h"
#include "trace/state/call_meaning.h"
#include "trace/record/traced_process.h"
#include "trace/columns/trails.h"

enum { FTH_CURSOR_LIMIT = 256, FTH_SLOT_LIMIT = 16384 };

/* What a note is about, as its name says. */
enum fth_note_about {
    FTH_NOTE_OF_NOTHING,
    FTH_NOTE_OF_SLOT,
    FTH_NOTE_OF_START,
    FTH_NOTE_OF_FLAGS,
    FTH_NOTE_OF_PATH,
    FTH_NOTE_OF_FILE,
    FTH_NOTE_OF_SIZE,
};
struct fth_note_name {
    int64_t text;
    enum fth_note_about about;
    int class_index; /* of the slot; -1: it has none */
};
enum { FTH_NOTE_NAMES = 16 };

/* Names of a process, shared by its threads: every text or list that a call had, from 1. */
#define FTH_NO_NAME "\0\xff"
struct fth_process_names {
    struct fth_intern texts;  /* 0 is FTH_NO_NAME */
    struct fth_intern places; /* of numbers in names */
    struct fth_known_names known;
    uint32_t template_count; /* that have a number */
    struct fth_bytes scratch;
    uint64_t versions;                          /* of bindings that its threads have had */
    struct fth_note_name notes[FTH_NOTE_NAMES]; /* that came last, by their text */
};
void fth_process_names_init(struct fth_process_names *names);
void fth_process_names_free(struct fth_process_names *names);

struct fth_binding {
    uint32_t path; /* text */
    int64_t number;
    bool bound;
    int flags; /* of a descriptor that was there before, plus 1; 0: not known */
    /* Which file it is of, if its path does not say: another path, number and texts of device and
     * names. */
    uint32_t real_path, device;
    int64_t inode;
    int64_t size; /* how long that was when it was opened, + 1; 0: not known */
    uint32_t sum; /* of a walk: place of the sum of its file, + 2; 1: none; 0: not known */
};

struct fth_cursor_state {
    int64_t end, view;
};

/* Of slots 0 to room - 1. */
struct fth_bindings {
    struct fth_binding *slots;
    uint32_t room;
};

/* A note of a thread that was started inside a call. */
struct fth_start_note {
    uint64_t number;  /* in its process; 0: the last note was another one */
    bool is_followed; /* by the thread that has the note; else that one made it */
};

/* What a call writes, as the note before it says. */
struct fth_contents_note {
    uint64_t hash;
    int64_t bytes; /* 0: the last note was another one */
};

/* Where the descriptor of a call stood, as the note before it says. */
struct fth_stood_note {
    bool is_reported; /* else the last note was another one */
    int64_t at;       /* -1: nobody knows */
};

struct fth_thread_state {
    const struct fth_catalog *catalog;
    struct fth_process_names *names;
    struct fth_last_numbers last;
    struct fth_meaning *meanings;  /* one per function, shared */
    struct fth_bindings *bindings; /* per class */
    uint64_t version; /* of the bindings: no others of this process, of any thread, have the same */
    struct fth_cursor_state **cursors; /* per class, FTH_CURSOR_LIMIT of them or NULL */
    struct fth_trails *trails;         /* NULL: no call had any yet */
    uint32_t cwd;                      /* text; 0: that of the process's start */
    struct fth_start_note start;       /* the last note, if it was of a start */
    /* Of the next call, until there is one. */
    struct fth_contents_note contents;
    struct fth_stood_note stood;
};

void fth_thread_state_init(struct fth_thread_state *state, const struct fth_catalog *catalog,
                           struct fth_process_names *names, struct fth_meaning *meanings);
void fth_thread_state_free(struct fth_thread_state *state);

/* Turns the values of a call, literal ones filled in, into what the program passed: predictions are
 * added, and the state moves on. Must be called for each call of the thread in order. `signature`
 * says which values were literal. */
void fth_state_resolve(struct fth_thread_state *state, const struct fth_signature *signature,
                       int64_t *values);
/* What calls of a signature do to the cursor of their handle: both places go on by so much. */
struct fth_cursor_motion {
    int64_t end, view;
};
/* False: they do not all do the same, or more than that. `values`: those of the signature. */
bool fth_cursor_motion_of(const struct fth_meaning *meaning, const struct fth_signature *signature,
                          struct fth_cursor_motion *motion);
void fth_state_move(struct fth_thread_state *state, int handle_class, int64_t slot,
                    const struct fth_cursor_motion *motion);
/* Do calls of this signature, `times` of them in a row, differ in nothing but times and the place
 * of one access? Then *step is how far each is behind the one before. `values`: those of the
 * signature, as they stand in the trace. */
bool fth_state_step(struct fth_thread_state *state, const struct fth_signature *signature,
                    const int64_t *values, uint32_t times, int64_t *step);
/* As many such calls of the thread have been. */
void fth_state_go_on(struct fth_thread_state *state, const struct fth_signature *signature,
                     const int64_t *values, uint32_t times, int64_t step);

/* The text that a template and what is kept of its numbers stand for; the numbers become those that
 * they are. Once for each name of a call, in order. */
uint32_t fth_state_name(struct fth_thread_state *state, const struct fth_template *template,
                        int64_t *numbers, bool literal);

/* The rest are questions about a resolved call, before the next one. */

/* Its note, if it is one of ours: applied to the state. True: hide the call. */
bool fth_state_take_note(struct fth_thread_state *state, const struct fth_meaning *meaning,
                         const int64_t *values);
static inline bool fth_state_note(struct fth_thread_state *state, const struct fth_meaning *meaning,
                                  const int64_t *values)
{
    return meaning->note.any && fth_state_take_note(state, meaning, values);
}
/* A text by its number, with its length in bytes; "" where there is none. */
const char *fth_state_text(const struct fth_thread_state *state, int64_t text, size_t *length);
/* What the slot is bound to; NULL when that is not known. */
static inline const struct fth_binding *fth_state_binding(const struct fth_thread_state *state,
                                                          int handle_class, int64_t slot)
{
    if (handle_class < 0)
        return NULL;
    const struct fth_bindings *bindings = &state->bindings[handle_class];
    return (uint64_t)slot < bindings->room && bindings->slots[slot].bound ? &bindings->slots[slot]
                                                                          : NULL;
}

/* ---- what effect.c and cell_marks.c know of it, too ---- */

/* NULL: the slot has none. */
struct fth_cursor_state *fth_state_cursor(struct fth_thread_state *state, int class_index,
                                          int64_t slot);
/* Of the handle that has a cursor; -1: the call has none. */
int32_t fth_slot_of_cursor(const struct fth_meaning *meaning, const int64_t *values);
/* The trails with this key, FTH_TRAILS of them. */
int64_t *fth_state_trails(struct fth_thread_state *state, uint32_t key, uint32_t handle_class);
/* What fathom_bind does. `number`: the descriptor minus the slot; `path`: a text. */
void fth_state_bind(struct fth_thread_state *state, int class_index, int64_t slot, int64_t number,
                    int64_t path);
/* -1: there is none. */
int fth_class_of_name(const struct fth_catalog *catalog, const void *name, size_t length);
/* Is its distance a position? Is its whence one by which the cursor's end follows the distance? */
bool fth_seek_is_absolute(const struct fth_meaning *meaning, const int64_t *values);
bool fth_seek_moves_cursor(const struct fth_meaning *meaning, const int64_t *values);

#endif

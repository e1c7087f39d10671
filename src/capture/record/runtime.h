/* What a wrapper needs: begin a call, keep its values, commit it. Everything on the hot path is
 * here, inline; everything rare is a function of recorder.c, handle_slots.c or process.c. Included
 * by generated code, so it declares no function that is wrapped.
 *
 * The life of a call:   begin (may this call be recorded? which frames are open?)
 *                       the real function
 *                       end (time, errno), keep values, commit (signature -> symbol -> live area)
 * No lock is taken and nothing of libc that allocates or locks is called. errno is the real
 * function's afterwards. */
#ifndef FTH_CAPTURE_RECORD_RUNTIME_H
#define FTH_CAPTURE_RECORD_RUNTIME_H

#include "capture/process/catalogue.h"
#include "capture/process/process_clock.h"
#include "capture/process/process.h"
#include "interpose/own/readable.h"
#include "catalog/values.h"
#include "trace/record/spill.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is preloaded is compiled without built-in functions (interpose/own/string.c). But to copy a
 * word must not be a call. */
#define memcpy(to, from, bytes) __builtin_memcpy(to, from, bytes)

enum {
    FTH_FRAMES = 64,        /* calls inside calls that are distinguished */
    FTH_SLOTS = 16384,      /* of a class at a time; handles beyond are unknown */
    FTH_CURSOR_SLOTS = 256, /* slots of a class whose position is predicted */
    /* words: head, values, where the call is made, which values are steps */
    FTH_KEY = FTH_MOST_VALUES + 3,
    FTH_BOUND = 1024,
    FTH_SITES = 512,
    FTH_OBJECT_SITES = 16, /* slots of a class without cursors that are sites of their own */
    FTH_TIGHT = 1024, /* bytes of a signal handler's stack that leave no room to record a call */
    FTH_LONGEST_LIST = 1024,
};
_Static_assert((int)FTH_FRAMES <= (int)FTH_SPILL_OPEN, "a place for each open call");

/* Where the next access of a handle is expected, as this thread has seen it. */
struct fth_cursor {
    int64_t end;  /* bytes: end of the last access */
    int64_t view; /* units of the view: start of the last access */
};

/* An open call. Where its wrapper returns to stands behind the wrapper's frame for as long as it
 * has not been left. */
struct fth_recorder_frame {
    uintptr_t stack, returns_to;
    uint32_t context;
};

/* Where a Python program makes a call: objects of Python, which hold as long as the call does. */
struct fth_python_spot {
    const char *file, *name;
    int line; /* 0: there is none */
};
struct fth_python_place {
    struct fth_python_spot inner, outer;
};

/* A call on its way into the trace. */
struct fth_draft {
    struct fth_recorder *recorder;
    uintptr_t stack; /* frame of the wrapper */
    uint64_t begin, end;
    uint32_t context; /* of the enclosing calls */
    int saved_errno;
    int *errno_at; /* of this thread */
    int count;
    int predicted;    /* index of the value that is a distance, -1 */
    int64_t position; /* what that value is as it is */
    /* bytes asked for, for the value that says how many were moved; of a seek, the position that it
     * reached */
    int64_t asked;
    int64_t moved; /* of a data call */
    struct fth_cursor *cursor, cursor_before;
    int32_t site;  /* slot that distinguishes sites of one function */
    bool worked;   /* the call did what it was asked to: what its pointers point to is there */
    uint64_t head; /* of the signature: function, depth, flags */
    /* In the recorder, with a word before them: with the head there, where the call is made if that
     * is kept, and which values are steps if any are, the signature's key. */
    int64_t *values;
};

/* What one thread records with. Its first 64 bytes, a cache line, are what a call touches. */
struct fth_recorder {
    uint32_t *at, *end; /* the live area: next word, end */
    struct fth_spill_live *live;
    uint64_t last_exit;
    uint32_t last_depth;
    uint32_t depth;
    uint32_t context; /* layers and files that enclosing calls are about */
    uint32_t cwd;     /* generation of the working directory that was noted last */
    uintptr_t busy;   /* frame of the wrapper that is at work outside its real function, 0: none */
    /* lower end of the stack that the thread has for signal handlers; 0: none (signal_stack.c) */
    uintptr_t signal_stack;
    struct fth_recorder_frame frames[FTH_FRAMES];
    struct fth_cursor cursors[FTH_FILE_CLASSES][FTH_CURSOR_SLOTS];
    struct {
        int32_t slot;
        uint32_t generation;
        uint32_t handle_class;
    } bound[FTH_BOUND]; /* bindings that this thread has noted */
    struct fth_signatures *signatures;
    struct fth_stepping *stepping;
    struct fth_stream *stream;
    struct fth_recorder *next_free, *next_made;
    bool jumped;                 /* a longjmp was seen while it was */
    bool from_fortran;           /* the next call is one of functions for Fortran (wrap_bound.h) */
    bool is_from_python;         /* the call that is being recorded: at `python` */
    bool retired;                /* the recording that it belongs to is over */
    bool nowhere;                /* it has no stream: its calls are counted, not kept */
    struct fth_regions *regions; /* of the application (open_regions.c), or NULL */
    struct fth_watching *watching; /* what its watched calls are counted in, or NULL */
    /* The program's stack may be a small one, of a coroutine or a signal handler: what is put
     * together is put together here. The values of the open calls, by depth, each with a word
     * before them for the head; those of a note, and its draft; a definition; values that leave a
     * key; paths, texts and lists. */
    uint64_t kept[FTH_FRAMES][FTH_KEY];
    uint64_t note[FTH_KEY], defined[FTH_KEY];
    struct fth_draft noting;
    struct fth_python_place python;
    int64_t literals[FTH_MOST_VALUES];
    char path[FTH_LONGEST_PATH];
    _Alignas(8) char text[FTH_LONGEST_LIST * 10];
};

extern FTH_PUBLIC __thread struct fth_recorder *fth_self __attribute__((tls_model("initial-exec")));
/* In busy: at work for no wrapper. */
#define FTH_BUSY_ELSEWHERE UINTPTR_MAX
/* How many recordings have begun while the program ran: what one knew, the next one must not
 * believe. */
extern FTH_PUBLIC uint64_t fth_recordings;
/* By function: is it to be recorded? Calls that make or give up handles are followed even when they
 * are not: the calls that are recorded name the files and objects behind those handles. Before the
 * filters are read, all may be. */
enum fth_wanted {
    FTH_NOT_WANTED,
    FTH_COUNTED, /* is only counted (fathom record --select), from here down without a frame */
    FTH_WANTED,
    FTH_FOLLOWED,
    FTH_TIMED,    /* is only watched: counts, times and bytes are added up (watched_calls.h) */
    FTH_MEASURED, /* is recorded, and its time counts for the choice (watch_phases.h) */
    FTH_UNDECIDED
};
extern FTH_PUBLIC uint8_t fth_wanted[65536];
extern FTH_PUBLIC uint64_t fth_least_ticks; /* shorter calls are left out */
extern FTH_PUBLIC int64_t fth_least_bytes;  /* smaller data calls are left out */
/* Takes frames off that a jump, an exception or the end of a thread left behind. */
void fth_drop_stale_frames(struct fth_recorder *recorder, uintptr_t stack) FTH_PUBLIC;

#if defined __x86_64__ || defined __aarch64__
static inline uintptr_t fth_returns_to(uintptr_t stack)
{
    return ((const uintptr_t *)stack)[1];
}
#else
static inline uintptr_t fth_returns_to(uintptr_t stack)
{
    (void)stack;
    return 0;
}
#endif

/* Is a call with its frame at `stack` inside the one of this frame? What is far away may be another
 * stack: it is not looked at. */
enum { FTH_NEAR = 256 << 10 };
static inline bool fth_is_inside(uintptr_t stack, const struct fth_recorder_frame *frame)
{
    return frame->stack > stack &&
           (frame->stack - stack > FTH_NEAR || fth_returns_to(frame->stack) == frame->returns_to);
}

/* Where the values of the call at this depth are kept. */
static inline int64_t *fth_values_at(struct fth_recorder *recorder, uint32_t depth)
{
    return (int64_t *)&recorder->kept[depth][1];
}

/* A context: bits of layers, and whether a call is about a file, behind a buffer or not. */
enum {
    FTH_CONTEXT_LAYERS = (1 << 29) - 1,
    FTH_CONTEXT_FILE = 1 << 29,
    FTH_CONTEXT_UNBUFFERED = 1 << 30
};
_Static_assert(FTH_CONTEXT_FILE >> 28 == FTH_INSIDE_FILE_CALL &&
                   FTH_CONTEXT_UNBUFFERED >> 28 == FTH_INSIDE_UNBUFFERED_CALL,
               "flags");
static inline struct fth_spill_open *fth_open_at(struct fth_recorder *recorder, uint32_t depth)
{
    return &recorder->live->open[depth];
}

/* The last thing before the real function. The call stands in the live area, which outlives the
 * process, until it is left: two words written here, and one there. */
static inline __attribute__((always_inline)) void fth_start(struct fth_draft *draft)
{
    struct fth_spill_open *open =
        fth_open_at(draft->recorder, (uint32_t)(draft->head >> 16) & 0xff);
    open->function = (uint32_t)draft->head;
    open->slot = draft->cursor ? draft->site : -1;
    draft->recorder->busy = 0;
    atomic_signal_fence(memory_order_seq_cst);
    draft->begin = open->begin = fth_ticks();
}

/* The first thing after it. */
static inline __attribute__((always_inline)) void fth_end(struct fth_draft *draft)
{
    draft->end = fth_ticks();
    draft->errno_at = &errno;
    draft->saved_errno = *draft->errno_at;
    draft->recorder->busy = draft->stack;
    if (draft->cursor)
        draft->cursor_before = *draft->cursor;
}

/* The call is over, recorded or not. */
static inline void fth_leave(struct fth_draft *draft)
{
    struct fth_recorder *recorder = draft->recorder;
    recorder->depth = (uint32_t)(draft->head >> 16) & 0xff;
    fth_open_at(recorder, recorder->depth)->begin = 0;
    recorder->context = draft->context;
    recorder->busy = 0;
    *draft->errno_at = draft->saved_errno;
}

/* The filters leave this call out after all; nothing has been kept, errno is not touched. */
static inline void fth_pass(struct fth_draft *draft)
{
    struct fth_recorder *recorder = draft->recorder;
    recorder->live->excluded++;
    recorder->depth = (uint32_t)(draft->head >> 16) & 0xff;
    recorder->context = draft->context;
    recorder->busy = 0;
}

/* What such a call has moved, as the system counts it. */
static inline void fth_passed_read(struct fth_draft *draft, int64_t moved)
{
    struct fth_spill_counted *passed = &draft->recorder->live->passed;
    passed->read += moved > 0 ? (uint64_t)moved : 0;
    passed->reads++;
}

static inline void fth_passed_write(struct fth_draft *draft, int64_t moved)
{
    struct fth_spill_counted *passed = &draft->recorder->live->passed;
    passed->written += moved > 0 ? (uint64_t)moved : 0;
    passed->writes++;
}

/* The same after values have been kept: a reader that never sees the call must not miss what it did
 * to the cursor. */
static inline void fth_leave_out(struct fth_draft *draft)
{
    if (draft->cursor)
        *draft->cursor = draft->cursor_before;
    draft->recorder->live->excluded++;
    fth_leave(draft);
}

/* Records it and leaves. */
void fth_commit(struct fth_draft *draft) FTH_PUBLIC;
/* Records it, in the reference too, if one is kept. False: there was no room. */
bool fth_record_in_full(struct fth_draft *draft);

/* The same for a data call that moved so many bytes. */
static inline void fth_commit_data(struct fth_draft *draft, int64_t moved)
{
    if (FTH_UNLIKELY(moved < fth_least_bytes))
        fth_leave_out(draft);
    else {
        draft->moved = moved;
        fth_commit(draft);
    }
}

/* One more call that is only counted, of this thread. */
void fth_watched_count(struct fth_recorder *recorder, uint32_t function) FTH_PUBLIC;
/* All processes of a communicator or file have been in the call that is over: if these are all of
 * the world, a phase ends (fathom record --select). */
extern FTH_PUBLIC bool fth_meetings_end_phases;
void fth_met_all(uint32_t handle_class, int32_t slot) FTH_PUBLIC;
/* How many processes share a communicator or file; NULL: nobody knows. */
extern FTH_PUBLIC int32_t (*fth_members_of)(uint32_t handle_class, int32_t slot);
static inline void fth_met(uint32_t handle_class, int32_t slot)
{
    if (FTH_UNLIKELY(fth_meetings_end_phases))
        fth_met_all(handle_class, slot);
}

/* ---- values ---- */

static inline void fth_keep(struct fth_draft *draft, int64_t value)
{
    draft->values[draft->count++] = value;
}

/* What is kept of a result that is 0 or an error. A library whose errors are structures says what
 * it is (wrap_NAME.h). */
#ifndef fth_code
#define fth_code(result) ((int64_t)(result))
#endif

static inline int64_t fth_failure(const struct fth_draft *draft)
{
    return FTH_FAILED + draft->saved_errno;
}

/* The handle that the call is about. That of a file has a cursor, which predicts where; `ordinal`
 * counts the classes of files, -1: none. Calls on handles of one class that are many are of one
 * site, where they can be seen to go by steps. */
static inline void fth_about(struct fth_draft *draft, int ordinal, int32_t slot)
{
    int32_t most = ordinal >= 0 ? FTH_CURSOR_SLOTS : FTH_OBJECT_SITES;
    draft->site = slot < most ? slot : most;
    if (ordinal >= 0 && slot >= 0 && slot < FTH_CURSOR_SLOTS)
        draft->cursor = &draft->recorder->cursors[ordinal][slot];
}

/* The same after fth_end. */
static inline void fth_about_now(struct fth_draft *draft, int ordinal, int32_t slot)
{
    fth_about(draft, ordinal, slot);
    if (draft->cursor)
        draft->cursor_before = *draft->cursor;
}

/* Programs pass any number as an offset: sums wrap around. */
static inline int64_t fth_plus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one + (uint64_t)other);
}

static inline int64_t fth_minus(int64_t one, int64_t other)
{
    return (int64_t)((uint64_t)one - (uint64_t)other);
}

/* The next access is expected here. What is no place in a file is not expected: a distance to it
 * could look like a failure. */
static inline void fth_expect(struct fth_draft *draft, int64_t end)
{
    if (draft->cursor)
        draft->cursor->end = FTH_IS_PLACE(end) ? end : 0;
}

static inline void fth_keep_predicted(struct fth_draft *draft, int64_t position, int64_t expected)
{
    draft->predicted = draft->count;
    draft->position = position;
    fth_keep(draft, fth_minus(position, expected));
}

static inline void fth_keep_offset(struct fth_draft *draft, int64_t offset, int64_t bytes)
{
    fth_keep_predicted(draft, offset, draft->cursor ? draft->cursor->end : 0);
    fth_expect(draft, fth_plus(offset, bytes));
}

static inline void fth_keep_view(struct fth_draft *draft, int64_t offset)
{
    fth_keep_predicted(draft, offset, draft->cursor ? draft->cursor->view : 0);
    if (draft->cursor)
        draft->cursor->view = offset;
}

/* SEEK_SET and SEEK_CUR, of POSIX and of MPI. */
static inline bool fth_is_absolute(int64_t whence)
{
    return whence == 0 || whence == 600;
}

static inline bool fth_is_relative(int64_t whence)
{
    return whence == 1 || whence == 602;
}

static inline void fth_keep_distance(struct fth_draft *draft, int64_t distance, int64_t whence)
{
    if (!fth_is_absolute(whence)) {
        fth_keep(draft, distance);
        if (fth_is_relative(whence) && draft->cursor)
            fth_expect(draft, fth_plus(draft->cursor->end, distance));
        return;
    }
    fth_keep_predicted(draft, distance, draft->cursor ? draft->cursor->end : 0);
    fth_expect(draft, distance);
}

/* After the distance of the same seek, if it has one. */
static inline void fth_keep_position(struct fth_draft *draft, int64_t position)
{
    if (position < 0) {
        fth_keep(draft, fth_failure(draft));
        return;
    }
    draft->asked = position;
    fth_keep(draft, position - (draft->cursor ? draft->cursor->end : 0));
    fth_expect(draft, position);
}

/* Bytes moved by a data call; `advances`: it moves the position of its handle. */
static inline void fth_keep_moved(struct fth_draft *draft, int64_t moved, bool advances)
{
    if (moved < 0) { /* what is less than -1 is minus an error of the library's own */
        fth_keep(draft, moved < -1 ? FTH_FAILED_WITH(-moved) : fth_failure(draft));
        return;
    }
    fth_keep(draft, fth_minus(moved, draft->asked));
    if (advances && draft->cursor)
        fth_expect(draft, fth_plus(draft->cursor->end, moved));
}

/* Strings and lists, by number. NULL is 0. */
int64_t fth_text(struct fth_draft *draft, const char *text) FTH_PUBLIC;
/* The length of a text whose content is nobody's business. */
int64_t fth_data(const struct fth_draft *draft, const char *text) FTH_PUBLIC;
int64_t fth_bytes_as_text(struct fth_draft *draft, const void *bytes, size_t length) FTH_PUBLIC;
/* Arguments of a program, and a command for a shell, which are masked where that is wanted. */
int64_t fth_texts(struct fth_draft *draft, char *const *texts) FTH_PUBLIC;
int64_t fth_command(struct fth_draft *draft, const char *text) FTH_PUBLIC;
/* n integers of `width` bytes (4 or 8). */
int64_t fth_list(struct fth_draft *draft, const void *integers, int64_t n,
                 unsigned width) FTH_PUBLIC;
/* n pointers to `each` integers: all of them, one list behind the other. A null pointer among them
 * stands for ones. */
int64_t fth_lists(struct fth_draft *draft, const void *lists, int64_t n, int64_t each,
                  unsigned width) FTH_PUBLIC;

/* ---- what calls are given (given.c) ---- */

int64_t fth_length(const char *text) FTH_PUBLIC;
/* Of n integers of `width` bytes that a call is given, before it is known to work: the last one,
 * and the sum; 0 of none, -1 if they are not there, or more than are kept. */
int64_t fth_last(const void *integers, int64_t n, unsigned width) FTH_PUBLIC;
int64_t fth_sum(const void *integers, int64_t n, unsigned width) FTH_PUBLIC;
/* The text if it can be read, else NULL. */
const char *fth_given_text(const struct fth_draft *draft, const char *text) FTH_PUBLIC;

#endif

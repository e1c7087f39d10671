/* A process as it goes into a part: its calls come by, thread by thread, each in order of exit;
 * what comes out is its grammars, its signatures, its sums, and its columns, block by block. Where
 * the calls come from is the caller's business (gather_image.c: spill files). */
#ifndef FTH_TRACE_MERGE_WALK_H
#define FTH_TRACE_MERGE_WALK_H

#include "base/divisor.h"
#include "base/intern.h"
#include "trace/merge/aio.h"
#include "trace/merge/mapped.h"
#include "trace/state/cell_marks.h"
#include "trace/file/pieces.h"
#include "trace/state/state.h"
#include "trace/columns/timing.h"

/* Takes compressed blocks, in order. False: *error is set (a full disk). */
typedef bool fth_block_sink(void *context, const void *bytes, size_t length,
                            struct fth_error **error);

/* What calls of a kind add to the sums of their process. */
struct fth_kind_sum {
    uint32_t place;   /* of the sum of their function, + 1; 0: there was no call */
    bool is_constant; /* all of them add the same: */
    bool failed;
    uint64_t bytes;
    /* They have no names and no values but those of their signature. What there is to do with one,
     * besides its terminal and its times, stands here: */
    bool is_plain;
    bool reads, writes;
    int16_t handle_class; /* of the file that they are about; -1: none */
    int32_t slot;
    bool opens, has_time, is_raw; /* of the sums of that file: it, their time, their bytes count */
    bool moves_cursor;            /* by this: */
    struct fth_cursor_motion motion;
};

/* Calls of one kind, as the recorder saw them: the values of its signature, with names as numbers
 * of fth_walk_text. */
struct fth_call_kind {
    uint32_t terminal; /* of the last call; FTH_NO_TERMINAL: there was none */
    uint32_t waiting;  /* that of calls that wait for what this one found; FTH_NO_TERMINAL: none */
    struct fth_kind_names *names; /* NULL: there are none, or there was no call */
    struct fth_kind_sum sum;
    struct fth_signature signature;
};
#define FTH_NO_TERMINAL UINT32_MAX
/* Have all calls of a kind the values of its signature? None is a literal, or predicted. */
static inline bool fth_kind_is_constant(const struct fth_meaning *meaning,
                                        const struct fth_signature *signature)
{
    return !signature->mask && !signature->steps && !meaning->step_count;
}
/* Frees what calls of this kind have left in it. Its signature may be another one then. */
void fth_call_kind_free(struct fth_call_kind *kind);

struct fth_walk {
    struct fth_part *part;
    struct fth_meaning *meanings;
    fth_block_sink *sink;
    void *context;
    /* its facts are the caller's to fill in, the quantum and directory before the first call */
    struct fth_part_process process;
    struct fth_process_names names;
    /* the thread */
    bool open;
    uint64_t thread;
    struct fth_thread_state state;
    uint32_t depth;
    uint64_t now, units; /* ticks: exit of the last call; and in units */
    struct fth_divisor quantum;
    uint64_t seen, skip; /* calls; so many at the front are in another part already */
    /* of a thread that has come by in another part: what its names were there is not known here */
    bool is_rest;
    /* times of files do not follow from the calls that are in this part, or not so easily */
    bool keeps_path_times;
    bool is_summed; /* its calls are added up, and not kept */
    struct fth_track *track;
    struct fth_columns columns;
    struct fth_marks marks;
    struct fth_timing timing;
    uint64_t block_calls;
    uint64_t block_base; /* units */
    struct fth_pieces pieces;
    /* the process */
    struct fth_intern kinds;        /* signature as bytes -> terminal */
    struct fth_template *templates; /* by string of the part */
    uint32_t template_limit;
    struct fth_known_text *known_texts; /* by text: what it was taken apart into */
    uint32_t known_text_limit;
    int64_t *text_numbers; /* of all of them */
    uint8_t *text_digits;
    size_t text_number_count;
    struct fth_intern sites; /* function, value and template of names */
    uint32_t *site_news;     /* how many signatures their numbers made */
    uint32_t *sum_places;    /* [function * FTH_INSIDE_ALL + flags] -> index into sums, + 1 */
    uint32_t *path_places;   /* text -> index into paths, + 1 */
    uint32_t path_limit;
    uint32_t *files; /* text -> that of the path that it begins with; 0: not known */
    uint32_t file_limit;
    struct fth_mapped mapped;
    struct fth_aio aio;
    struct fth_bytes path, written, kind;
    bool failed;
    struct fth_error **error; /* the caller's to set */
};

/* A walk can be used for one process after the other; the part stays the caller's. */
void fth_walk_open(struct fth_walk *walk, struct fth_part *part, fth_block_sink *sink,
                   void *context);
void fth_walk_close(struct fth_walk *walk);

void fth_walk_begin(struct fth_walk *walk);
/* The calls that follow are of this thread; the first `skip` of them are left out, and only what
 * they teach is kept. */
void fth_walk_thread(struct fth_walk *walk, uint64_t thread, int64_t tid, uint64_t base,
                     uint64_t skip);
/* The same for the calls of a thread that follow those of another part, the last one of which had
 * this depth. None of them asks for a binding, a cursor or a trail that is not among them. */
void fth_walk_rest_of_thread(struct fth_walk *walk, uint64_t thread, int64_t tid, uint64_t base,
                             uint32_t depth);
static inline uint32_t fth_walk_text(struct fth_walk *walk, const void *bytes, size_t length)
{
    return fth_intern(&walk->names.texts, bytes, length);
}
/* Ticks; `literals` of the bits in the kind's mask in order. */
void fth_walk_call(struct fth_walk *walk, struct fth_call_kind *kind, uint64_t gap,
                   uint64_t duration, const int64_t *literals);
void fth_walk_end_thread(struct fth_walk *walk);
/* Adds the process to the part and appends its facts. 0, or -1 when the sink has failed. */
int fth_walk_end(struct fth_walk *walk, struct fth_bytes *facts);

#endif

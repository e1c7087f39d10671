/* The calls of one thread in order of exit, as they stand in the trace. Inner header of the model
 * room. */
#ifndef FTH_MODEL_READING_THREAD_H
#define FTH_MODEL_READING_THREAD_H

#include "model/reading/model.h"
#include "trace/columns/columns.h"
#include "trace/grammar/rules.h"
#include "trace/columns/timing.h"

enum {
    FTH_NOTE_VALUES = 4, /* of a binding */
    FTH_MOST_NOTES = 4,  /* that are kept before a call */
};

/* A process's share of a part, put together. */
struct fth_share {
    const struct fth_stored_part *part;
    struct fth_part_process stored;
    struct fth_template *templates; /* by string of the part, read when they are needed */
    uint32_t first_signature;       /* signatures of all shares are numbered one after another */
    size_t first_common;            /* the same of those without values */
};

/* The values of a signature as they stand in the trace. */
static inline const int64_t *fth_share_values(const struct fth_share *share,
                                              const struct fth_stored_signature *stored)
{
    return fth_stored_values(&share->stored, stored);
}

const struct fth_template *fth_share_template(struct fth_share *share,
                                              struct fth_process_names *names, uint32_t string);

/* A call as decoded: values as the program passed them; handles are slots still, and names are
 * texts of the process. */
struct fth_raw_call {
    uint32_t number; /* of its signature among those of all shares */
    const struct fth_stored_signature *stored;
    const struct fth_signature *signature; /* without values */
    const struct fth_meaning *meaning;
    uint32_t depth, flags;
    uint64_t entry, exit;                /* ticks */
    int64_t values[FTH_MOST_VALUES + 1]; /* copied FTH_VALUES_AT_ONCE */
};

/* Calls that nobody wants, as far as that is known before they are decoded. */
struct fth_unwanted {
    const bool *functions; /* by function: is it wanted? */
    /* by number of the signature: not wanted while bindings have this version, + 1; or NULL */
    const uint64_t *bindings;
};

/* A track, and where its blocks are. */
struct fth_stretch {
    struct fth_share *share;
    const struct fth_track *track;
    const uint8_t *frames;
};

/* A note of a start, at this depth. */
struct fth_read_start {
    struct fth_start_note note;
    uint32_t depth;
};

/* Notes of bindings that stood right before a call, whose values are all in their signatures. */
struct fth_read_notes {
    uint32_t count;
    bool others; /* there were others, too, or too many */
    struct fth_read_note {
        uint32_t number; /* of the signature among those of all shares */
        int64_t values[FTH_NOTE_VALUES];
    } items[FTH_MOST_NOTES];
};

/* What comes again and again behind one another: calls, and notes of bindings, by the numbers of
 * their signatures. */
struct fth_read_round {
    uint32_t count;
    uint32_t numbers[FTH_MOST_IN_TURN];
};

struct fth_thread_reader {
    const struct fth_trace *trace;
    struct fth_process_names *names;
    const struct fth_stretch *stretches; /* of the thread, in order */
    size_t stretch_count;
    uint64_t thread;
    int64_t tid;
    /* where it is: the stretch, piece and block after these */
    size_t stretch, piece, block;
    struct fth_share *share;
    const struct fth_track *current;
    const uint8_t *frames; /* of the next block */
    uint64_t quantum;      /* ticks of a unit of its times */
    struct fth_rules *rules;
    struct fth_rule_cursor cursor;
    struct fth_column_reader columns;
    uint64_t left_in_piece, left_in_block;
    struct fth_timing_reader timing;
    uint32_t depth;
    struct fth_thread_state state;
    /* Notes of starts since somebody emptied the list, if somebody asked for them. */
    bool keeps_starts;
    struct fth_read_start *starts;
    size_t start_count;
    struct fth_read_notes notes; /* before the last call */
};

/* Of the `count` stretches of one thread, at least one; they must outlive the reader. */
void fth_thread_reader_open(struct fth_thread_reader *reader, const struct fth_trace *trace,
                            struct fth_process_names *names, const struct fth_stretch *stretches,
                            size_t count);
/* Before the first call of a block of a stretch: its state and depth are the caller's to set. */
int fth_thread_reader_go(struct fth_thread_reader *reader, const struct fth_stretch *stretch,
                         size_t block, const uint8_t *frames, struct fth_error **error);
/* Back to the beginning. */
void fth_thread_reader_restart(struct fth_thread_reader *reader);
void fth_thread_reader_close(struct fth_thread_reader *reader);
/* 1: *call is filled, and the reader's state is that of the call; 0: no more; -1: *error. Notes are
 * applied, not given. */
int fth_thread_reader_next(struct fth_thread_reader *reader, struct fth_raw_call *call,
                           struct fth_error **error);
/* Goes over the calls that come next, up to the end of a block, as long as they are in no others,
 * hold none, and are not wanted. *passed: how many. 0; -1: *error. */
int fth_thread_reader_pass(struct fth_thread_reader *reader, const struct fth_unwanted *unwanted,
                           uint64_t *passed, struct fth_error **error);
/* The calls that come next, as long as they are of the signature of `raw`, which came last and
 * holds no others, and differ from it in times and places only: fills `timed`, returns how many
 * they are, and *step, how far the place of each is behind that of the one before. Nothing is
 * taken. */
uint32_t fth_thread_reader_foresee(struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                                   struct fth_timed *timed, uint32_t most, int64_t *step);
/* Takes so many of them, at least one. */
void fth_thread_reader_take(struct fth_thread_reader *reader, const struct fth_raw_call *raw,
                            const struct fth_timed *timed, uint32_t count, int64_t step);
/* What comes next, as long as it is whole rounds of these, at depth 0, that are all of the present
 * share: fills `timed` (calls and notes), of which there is room for `most`, and returns how many
 * rounds they are. Nothing is taken. */
uint32_t fth_thread_reader_foresee_rounds(struct fth_thread_reader *reader,
                                          const struct fth_read_round *round,
                                          struct fth_timed *timed, uint32_t most);
/* Takes so many of them, at least one: what is known of the thread stays as it is. */
void fth_thread_reader_take_rounds(struct fth_thread_reader *reader,
                                   const struct fth_read_round *round,
                                   const struct fth_timed *timed, uint32_t rounds);

#endif

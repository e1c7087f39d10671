/* A process in a trace: its identity (facts), its calls (signatures, and tracks of grammars
 * over them), and their sums. */
#ifndef FTH_TRACE_RECORD_TRACED_PROCESS_H
#define FTH_TRACE_RECORD_TRACED_PROCESS_H

#include "base/bytes.h"
#include "base/intern.h"
#include "catalog/values.h"

struct fth_count_column;
struct fth_block;

struct fth_text_list {
    char **items;
    size_t count;
};

/* Calls that were seen but not kept, because there was no room for them or no right to write. */
struct fth_unkept {
    uint64_t calls;
    uint64_t processes; /* of which nothing was kept */
    bool uncounted;     /* there were more calls, which nobody counted */
    int error;          /* errno; 0: no reason is known */
    int64_t since;      /* ns since 1970 */
};

/* Calls that are in sums only, as the budget of the recording was used up, or because they were
 * only watched. */
struct fth_summed {
    uint64_t calls;
    int error;     /* FTH_NO_BUDGET, which 0 stands for, or FTH_ONLY_WATCHED */
    int64_t since; /* ns since 1970 */
};

/* Facts about a process image that end up in the trace. */
struct fth_facts {
    uint64_t image, previous, world;
    int64_t pid, parent_pid;
    int64_t rank, size;
    int64_t start_realtime; /* ns since 1970, at start_ticks */
    uint64_t start_ticks, last_ticks;
    uint64_t rate_ticks, rate_ns; /* so many ticks take so many ns */
    uint64_t quantum;             /* ticks of one unit of time in the columns */
    uint64_t times;               /* how they are kept: `kept` of time_mode.h */
    uint64_t ended;               /* enum fth_spill_end */
    int64_t status;
    uint64_t excluded, lost, stopped;
    struct fth_unkept unkept; /* of `lost`; not in the part: it stands in META */
    struct fth_summed summed; /* not in the part either */
    uint64_t left, deep;      /* of `lost`, too; not in the part: for who recorded */
    bool alive;               /* when it was merged */
    bool clock_is_monotonic;  /* ticks are ns of CLOCK_MONOTONIC */
    int64_t clock_error; /* ns that it may be off rank 0's node; -1: it has not been compared */
    char *host, *exe, *directory, *mpi;
    struct fth_text_list arguments;
};

/* Units: where the first block of a thread is expected to begin. */
static inline uint64_t fth_first_base(const struct fth_facts *facts)
{
    return facts->quantum ? facts->start_ticks / facts->quantum : 0;
}

/* A run of calls that one grammar gives, and its lists of counts that are the process's own
 * (fth_rules_give). */
struct fth_piece {
    uint32_t grammar;
    uint64_t calls;
    struct fth_count_column *lists;
    uint32_t list_count;
};

struct fth_track {
    uint64_t thread;
    int64_t tid;
    struct fth_piece *pieces;
    size_t piece_count;
    struct fth_block *blocks;
    size_t block_count;
    uint64_t means_stored, means_raw; /* of the table of means (time_means.h), behind the blocks */
};
/* Bytes of the frames of its blocks, and of all its frames. */
uint64_t fth_track_block_bytes(const struct fth_track *track);
static inline uint64_t fth_track_bytes(const struct fth_track *track)
{
    return fth_track_block_bytes(track) + track->means_stored;
}

/* Sums of a function's calls. `flags` FTH_INSIDE_... of spill.h. */
struct fth_sum {
    uint32_t function, flags;
    uint64_t calls, errors, bytes_read, bytes_written;
    uint64_t time, shortest, longest; /* units */
};
enum { FTH_MOST_CALLS_DERIVED = 64 }; /* for each sum, of a process that derives times */
struct fth_path_sum {
    uint32_t path; /* of the process's texts */
    uint64_t opens, calls, bytes_read, bytes_written, time;
};

/* What calls have in common. */
struct fth_signature {
    uint32_t function, depth, flags,
        /* mask: bit i is set when value i, or the numbers of the name that it is, are in literal
         * columns */
        mask;
    /* bit i is set when value i, or the numbers of the name that it is, stand among the process's
     * facts; only a reader needs to know */
    uint32_t apart;
    uint32_t steps; /* bit i is set when value i is a step of a trail */
    /* of its names, one after another: first of them in the process's name_numbers */
    uint32_t numbers;
    unsigned count;     /* of values, literal ones too */
    uint64_t source;    /* where the call is made (spill.h): the text is a string of the part */
    int64_t values[32]; /* of a name or list: number of its template in the part's strings */
};

enum { FTH_VALUES_AT_ONCE = 4 };

/* A signature of a process that is read. There may be as many as calls, while few of them differ in
 * more than their values. */
struct fth_stored_signature {
    const struct fth_signature *common; /* of the part: all but numbers and values */
    /* First of each in the process's name_numbers and values; or FTH_VALUES_IN_ROW, and the first
     * in its row. */
    uint32_t numbers, values;
};
#define FTH_VALUES_IN_ROW UINT32_MAX

struct fth_part_process {
    struct fth_facts facts;
    /* The terminals of its grammars: `signatures` of who makes a process, `terminals` of who
     * reads one. */
    struct fth_signature *signatures;
    struct fth_stored_signature *terminals;
    uint32_t signature_count;
    const int64_t *row; /* its numbers, which are the part's; or NULL */
    int64_t *values; /* of `terminals`; may be read FTH_VALUES_AT_ONCE, so some are behind them */
    size_t value_count;
    int64_t *name_numbers;
    size_t name_number_count;
    struct fth_track *tracks;
    size_t track_count;
    struct fth_sum *sums;
    size_t sum_count;
    /* Times of its sums are those of the calls in its blocks, so they are not stored. */
    bool derives_times;
    bool derives_path_times; /* the same of its files; only if it derives the others */
    struct fth_path_sum *paths;
    size_t path_count;
    struct fth_intern texts; /* 0: none */
    struct fth_bytes counts; /* its lists, piece after piece, as they stand in its facts */
    uint64_t counts_stored;  /* bytes that they take there */
    uint64_t calls;          /* of its sums */
    uint64_t frame_bytes;    /* of its blocks */
};
void fth_part_process_free(struct fth_part_process *process);
/* What is kept of the numbers of a signature's names from this one on, one after another. */
static inline const int64_t *fth_name_numbers(const struct fth_part_process *process,
                                              uint32_t numbers)
{
    return process->name_number_count && numbers != FTH_VALUES_IN_ROW
               ? process->name_numbers + numbers
               : NULL;
}
/* The values of a signature of a process that is read, as they stand in the trace;
 * FTH_VALUES_AT_ONCE of them may be read at once. */
static inline const int64_t *fth_stored_values(const struct fth_part_process *process,
                                               const struct fth_stored_signature *stored)
{
    return (stored->numbers == FTH_VALUES_IN_ROW ? process->row : process->values) + stored->values;
}
/* Of a terminal of a process that is read: as a whole. */
void fth_signature_of(const struct fth_part_process *process, uint32_t terminal,
                      struct fth_signature *signature);

/* Is it a value that names a string? */
static inline bool fth_is_name(enum fth_value_part part)
{
    return part == FTH_PART_TEXT || part == FTH_PART_TEXTS || part == FTH_PART_LIST;
}

#endif

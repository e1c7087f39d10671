/* What is known of the accesses to a file on one layer. Inner header of the pass of patterns. */
#ifndef FTH_ANALYSIS_PATTERNS_H
#define FTH_ANALYSIS_PATTERNS_H

#include "analysis/passes/reuse.h"
#include "analysis/passes/rhythm.h"
#include "analysis/passes/finding_texts.h"
#include "analysis/extents/access_sizes.h"
#include "base/indexed.h"

struct fth_pattern_key {
    uint32_t file;
    uint16_t layer;
    bool of_stream; /* what a stream of stdio does to its descriptor */
};
/* Patterns are indexed by file and this. */
static inline uint64_t fth_pattern_sort(uint16_t layer, bool of_stream)
{
    return (uint64_t)layer << 1 | of_stream;
}
static inline struct fth_pattern_key fth_pattern_key_at(const struct fth_indexed *patterns,
                                                        uint32_t place)
{
    const struct fth_indexed_entry *entry = fth_indexed_at(patterns, place);
    return (struct fth_pattern_key){entry->number, (uint16_t)(entry->sort >> 1), entry->sort & 1};
}

enum { FTH_ALIGNMENTS = 4 }; /* sectors, pages, and what file systems are made of */
static const unsigned fth_alignments[FTH_ALIGNMENTS] = {9, 12, 16,
                                                        20}; /* powers of two, in bytes */

/* Outermost calls of I/O that make accesses: the first few functions, and how many they make. */
enum { FTH_MAKERS = 4 };
struct fth_makers {
    struct fth_maker {
        const struct fth_function *function; /* NULL: no more */
        uint64_t accesses;
    } list[FTH_MAKERS];
};

/* Accesses that are smaller than the threshold: findings about small ones tell of no others. */
struct fth_small_accesses {
    uint64_t count[2], bytes[2]; /* reads, writes */
    uint64_t consecutive;        /* begin where the one before, of any size, ended */
    uint64_t alone;              /* not collective, on a file that a group has open */
    uint64_t together; /* collective calls: what they do with small pieces is their own matter */
    uint64_t flushed,
        closed;      /* of what streams do: inside of calls that empty, or close, the stream */
    uint64_t synced; /* writes through a descriptor that syncs each of them (O_SYNC) */
    int64_t time;
    struct fth_sizes sizes;
    struct fth_makers makers;
    struct fth_example example;
};

/* What accesses of one process to a file on one layer, or of all of them, add up to. */
struct fth_pattern {
    uint64_t count[2], bytes[2];             /* reads, writes */
    uint64_t unplaced[2], unplaced_bytes[2]; /* beside these: nobody knows where in the file */
    uint64_t first[2], behind[2];
    struct fth_rhythm_counts order; /* how they follow one another */
    uint64_t ranges;
    uint64_t aligned[FTH_ALIGNMENTS]; /* begin at a multiple of fth_alignments[i] */
    uint64_t placed, unaligned;       /* of those whose file has blocks that matter */
    bool system;                      /* it leaves the process */
    uint64_t top; /* made inside of no other call that says where its bytes are */
    int64_t time, read_time;
    struct fth_sizes sizes;
    struct fth_small_accesses *small; /* NULL: none, as in most of many files */
    struct fth_example example, read_example;
};

/* Of the process that spent most time. */
struct fth_pattern_worst {
    int64_t time;
    uint64_t accesses;
    struct fth_example example;
};

/* A file on one layer, over all processes. */
struct fth_patterns {
    struct fth_pattern all;
    uint64_t users;                              /* processes, wherever their accesses are */
    uint64_t processes, readers, writers;        /* of accesses of which that is known */
    uint64_t small_users;                        /* processes with small accesses */
    struct fth_pattern_worst worst, worst_small; /* on all accesses; on small ones */
    struct fth_example read_example;             /* of all */
    bool interlocked;                 /* the bytes of processes lie between those of others */
    uint64_t hull_first, hull_behind; /* of the process before */
    struct fth_reuse_of_all reuse;
    uint64_t repeated; /* where that is vague: bytes that processes read more than once, at least */
    uint64_t everybody; /* and that were read by one process and had been by another, at least */
    uint64_t most_read; /* by one process, of the hull */
    bool several_names; /* of which this is the last one */
};

/* Bits: how else the bytes of a file may be read. */
enum fth_pattern_elsewhere { FTH_PATTERN_MAPPED = 1, FTH_PATTERN_UNDER_OTHER_NAME = 2 };

struct fth_patterns_run {
    const struct fth_survey *survey;
    struct fth_indexed shared;    /* of struct fth_patterns, by files of the run */
    struct fth_indexed elsewhere; /* of enum fth_pattern_elsewhere, by files */
    struct fth_indexed followed;  /* names of one file, by both of them */
    struct fth_speed best[2];     /* of reads, of writes */
    int64_t room;                 /* for what is known of the bytes of files */
    struct fth_table *processes;
};

static inline uint64_t fth_pattern_accesses(const struct fth_pattern *pattern)
{
    return pattern->count[0] + pattern->count[1];
}

/* Of which nobody knows where in the file they are: they are in no other count. */
static inline uint64_t fth_pattern_unplaced(const struct fth_pattern *pattern)
{
    return pattern->unplaced[0] + pattern->unplaced[1];
}

/* What is known of its small accesses, which may be none. */
static inline const struct fth_small_accesses *fth_pattern_small(const struct fth_pattern *pattern)
{
    static const struct fth_small_accesses none;
    return pattern->small ? pattern->small : &none;
}

static inline uint64_t fth_small_count(const struct fth_small_accesses *small)
{
    return small->count[0] + small->count[1];
}

/* How processes share it: "in segments", "strided cyclic"; NULL: there is one process only. */
const char *fth_patterns_shared(const struct fth_patterns_run *run,
                                const struct fth_patterns *patterns);
void fth_patterns_find(const struct fth_patterns_run *run, struct fth_results *results,
                       const struct fth_pattern_key *key, const struct fth_patterns *patterns);

/* "stdio" where a stream of stdio made the accesses, as they are distinguished from others; else
 * NULL. */
static inline const char *fth_patterns_through(const struct fth_pattern_key *key)
{
    return key->of_stream ? "stdio" : NULL;
}

/* What tables say of a pattern: these columns, from the first one on, and their cells. */
enum { FTH_PATTERN_CELLS = 11 };
#define FTH_PATTERN_COLUMNS                                                                        \
    {"reads", "reads", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},                                      \
        {"writes", "writes", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},                                \
        {"bytes_read", "read", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},                              \
        {"bytes_written", "written", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},                        \
        {"median_at_least", "median at least", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},                   \
        {"consecutive", "in a row", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},                            \
        {"strided", "strided", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},                                 \
        {"nested", "nested", FTH_UNIT_PERCENT, FTH_SHOW_UNLESS_ZERO},                              \
        {"monotonic", "forward", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},                               \
        {"random", "random", FTH_UNIT_PERCENT, FTH_SHOW_ALWAYS},                                   \
    {                                                                                              \
        "unplaced", "place unknown", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO                          \
    }
void fth_pattern_put(struct fth_table *table, size_t row, size_t first,
                     const struct fth_pattern *pattern);

/* The table of processes: how each of them went through all its files, on each layer. `patterns`:
 * of struct fth_pattern by layer. */
struct fth_table *fth_patterns_processes_new(void);
void fth_patterns_processes_add(struct fth_table *table, const struct fth_survey *survey,
                                size_t proc, const struct fth_indexed *patterns);
/* A pattern more in a sum of several. */
void fth_pattern_add(struct fth_pattern *sum, const struct fth_pattern *more);
void fth_pattern_free(struct fth_pattern *pattern);

/* Tables of how large accesses are, and of where they begin. */
struct fth_patterns_sizes {
    struct fth_table *sizes, *alignment;
};
struct fth_patterns_sizes fth_patterns_sizes_new(const struct fth_results *results);
void fth_patterns_sizes_add(struct fth_patterns_sizes *tables, const struct fth_patterns_run *run,
                            const struct fth_pattern_key *key, const struct fth_pattern *pattern);
void fth_patterns_sizes_end(struct fth_patterns_sizes *tables, struct fth_results *results);

/* Tables of what all processes together do to a file, and of what is done to its bytes more than
 * once. */
struct fth_patterns_together {
    struct fth_table *together, *reuse;
};
struct fth_patterns_together fth_patterns_together_new(const struct fth_results *results);
/* Also what becomes of the bytes. */
void fth_patterns_together_add(struct fth_patterns_together *tables, struct fth_results *results,
                               const struct fth_patterns_run *run,
                               const struct fth_pattern_key *key,
                               const struct fth_patterns *patterns);
void fth_patterns_together_end(struct fth_patterns_together *tables, struct fth_results *results);

#endif

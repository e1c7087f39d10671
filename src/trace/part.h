/* A part: processes whose calls share one set of strings, signatures and grammars. A trace holds one for each MPI world that merged itself
 * at its end, and one for everything else. Parts are built from spill files, absorbed into one another, written and read. */
#ifndef FTH_TRACE_PART_H
#define FTH_TRACE_PART_H

#include "base/error.h"
#include "base/intern.h"
#include "catalog/catalog.h"

struct fth_text_list {
    char **items;
    size_t count;
};

/* Facts about a process image that end up in the trace. */
struct fth_facts {
    uint64_t image, previous, world;
    int64_t pid, parent_pid;
    int64_t rank, size;
    int64_t start_realtime;                /* ns since 1970, at start_ticks */
    uint64_t start_ticks, last_ticks;
    uint64_t rate_ticks, rate_ns;          /* so many ticks take so many ns */
    uint64_t quantum;                      /* ticks of one unit of time in the columns */
    uint64_t ended;                        /* enum fth_spill_end */
    int64_t status;
    uint64_t excluded, lost, stopped;
    bool alive; /* when it was merged */
    char *host, *exe, *directory, *mpi;
    struct fth_text_list arguments;
};

/* A run of calls that one grammar gives. */
struct fth_piece {
    uint32_t grammar;
    uint64_t calls;
};

/* Columns of up to FTH_BLOCK_CALLS calls: two frames in the process's BLKS. */
struct fth_block {
    uint64_t calls;
    uint64_t base; /* units: exit of the call before the first one */
    uint64_t time_stored, time_raw, literal_stored, literal_raw;
};

struct fth_track {
    uint64_t thread;
    int64_t tid;
    struct fth_piece *pieces;
    size_t piece_count;
    struct fth_block *blocks;
    size_t block_count;
};

/* Sums of a function's calls. `flags` FTH_INSIDE_... of spill.h. */
struct fth_sum {
    uint32_t function, flags;
    uint64_t calls, errors, bytes_read, bytes_written, time; /* units */
};
struct fth_path_sum {
    uint32_t path; /* string */
    uint64_t opens, calls, bytes_read, bytes_written, time;
};

struct fth_part_process {
    struct fth_facts facts;
    struct fth_track *tracks;
    size_t track_count;
    struct fth_sum *sums;
    size_t sum_count;
    struct fth_path_sum *paths;
    size_t path_count;
    uint64_t calls;
    uint64_t blocks_bytes; /* of its BLKS */
};

/* Stands for a null pointer: no text, no list of texts and no list of integers has these bytes. */
#define FTH_NULL_STRING "\0\xff"

struct fth_part {
    const struct fth_catalog *catalog;
    struct fth_intern strings;    /* 0 is FTH_NULL_STRING */
    struct fth_intern signatures; /* as in SIGS */
    struct fth_intern grammars;   /* as in GRAM */
    struct fth_part_process *processes;
    size_t process_count;
};

void fth_part_init(struct fth_part *part, const struct fth_catalog *catalog);
void fth_part_free(struct fth_part *part);

/* A signature as it stands in SIGS: varints function, depth, flags, mask of literals, then zigzag varints of the other values. */
struct fth_signature {
    uint32_t function, depth, flags, mask;
    unsigned count; /* of values, literal ones too */
    int64_t values[32];
};
/* Reads one; `plan` of the function tells the number of values. False: damaged. */
bool fth_signature_read(const struct fth_catalog *catalog, const uint8_t *bytes, size_t length,
                        struct fth_signature *signature);
uint32_t fth_part_add_signature(struct fth_part *part, const struct fth_signature *signature);

/* Moves everything of `from` into `into`, renumbering. `from` must be valid; it is empty afterwards. */
void fth_part_absorb(struct fth_part *into, struct fth_part *from);

/* PROC as bytes and back. */
void fth_part_write_processes(const struct fth_part *part, struct fth_bytes *to);
int fth_part_read_processes(struct fth_part *part, const void *bytes, size_t length, struct fth_error **error);
/* STRS, SIGS, GRAM as bytes and back: varint count, then for each varint length and bytes. */
void fth_intern_write(const struct fth_intern *intern, struct fth_bytes *to);
int fth_intern_read(struct fth_intern *intern, const void *bytes, size_t length, const char *what,
                    struct fth_error **error);
/* Checks what was read: every number in range, grammars without cycles, lengths that add up. */
int fth_part_check(const struct fth_part *part, struct fth_error **error);

/* Rewrites a grammar as the grammar writer made it: terminal t becomes map[t]. False: damaged. */
bool fth_grammar_renumber(const uint8_t *bytes, size_t length, const uint32_t *map, uint32_t count,
                          struct fth_bytes *to);

#endif

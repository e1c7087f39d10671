/* The program as text: what its writers share. Inner header of the proxy room. */
#ifndef FTH_PROXY_WRITING_H
#define FTH_PROXY_WRITING_H

#include "proxy/body.h"
#include "base/growing_text.h"
#include "base/keyed.h"

enum {
    FTH_NEEDS_NAME = 1,
    FTH_NEEDS_TEXT = 2,
    FTH_NEEDS_COMPUTE = 4,
    FTH_NEEDS_PIECES = 8,
    FTH_NEEDS_NEXT = 16,
    FTH_NEEDS_BUFFER = 64,
    FTH_NEEDS_OTHER = 128, /* a second buffer */
    FTH_NEEDS_RANKS = 256, /* tables by rank */
    FTH_NEEDS_STEPS = 1024,
    FTH_NEEDS_DRAW = 2048,
    FTH_NEEDS_SIZE = 4096, /* how many ranks there are */
    FTH_NEEDS_PUT = 8192,  /* bytes into streams as macros do */
    FTH_NEEDS_TAKE = 16384,
    FTH_NEEDS_FORK = 32768, /* processes that are started: with its memory, as new programs, ... */
    FTH_NEEDS_SPAWN = 65536,
    FTH_NEEDS_AWAIT = 131072,
    FTH_NEEDS_BECOME = 262144,
    FTH_NEEDS_LINE = 524288,    /* memory for a line */
    FTH_NEEDS_MARKS = 1048576,  /* of threads that others wait for */
    FTH_NEEDS_BLOCKS = 2097152, /* of asynchronous I/O */
};

struct fth_written_class {
    char name[32];
    char *type;
    uint32_t most;        /* variables at once */
    uint32_t most_shared; /* that threads share */
};

/* Among the words of `used`: a call has two descriptors. */
#define FTH_WRITING_COPIES "two descriptors"
/* Its macros for calls that may fail: with errno; of libraries; and those that take a number that
 * is 0 or an error, of the system, MPI, NetCDF or PnetCDF. */
#define FTH_WRITING_CHECK "CHECK"
#define FTH_WRITING_CHECK_LIBRARY "CHECK_LIBRARY"
#define FTH_WRITING_CHECK_CODE "CHECK_CODE"
#define FTH_WRITING_CHECK_MPI "CHECK_MPI"
#define FTH_WRITING_CHECK_NETCDF "CHECK_NC"
#define FTH_WRITING_CHECK_PNETCDF "CHECK_NCMPI"

struct fth_writing {
    struct fth_trace *trace;
    const struct fth_proxy_settings *settings;
    struct fth_growing_text functions, main, tables, declarations;
    unsigned needs;
    size_t tables_made;
    struct fth_written_class *classes; /* by class of the catalogue */
    uint32_t class_limit;
    uint32_t descriptor_class;
    uint32_t unused; /* places for results that nobody reads */
    uint64_t buffer_bytes;
    uint64_t largest; /* LONG_MAX / largest is the most that sizes can grow by, in as many steps */
    int64_t rank_count; /* of the run; while a program is written, how many have it */
    const char *self;   /* who a process is: "rank"; "number", while a program is written */
    uint32_t programs;  /* so many are started */
    uint32_t slots;     /* so many processes at once */
    uint32_t threads;   /* so many begin in a process, at most; 0: each has one */
    /* With so many the program can run; why not with others. */
    int64_t least_ranks, most_ranks;
    char *why_ranks;
    int64_t constant_peer, counted_peer; /* the largest ranks that calls name; 0: none */
    const struct fth_row *numbered;      /* the call whose number is being written, or NULL */
    const struct fth_row *unruled; /* one of the calls with numbers of single ranks, or NULL */
    bool shares_memory;            /* its buffer has a part for each rank */
    uint32_t steps;                /* turns of the main loop; 0: none */
    struct fth_intern anonymous;   /* parts of names */
    struct fth_intern counting;    /* numbers of names that are no constants: anonymous_text.c */
    struct fth_intern used;        /* layers and kinds of its calls */
    struct fth_keyed named_ranks;  /* numbers of names: named_ranks.c */
    char **tables_of_numbers;      /* by number: what stands for it in a folded run; or NULL */
    /* while a function is written */
    const struct fth_body *body;
    uint32_t function;
    uint32_t makers; /* groups that do what is being written: bits */
};

/* Is what is being written a program of processes that are started? These are as many as in the
 * run. */
static inline bool fth_proxy_in_program(const struct fth_writing *writing)
{
    return writing->body && writing->body->program;
}
/* The word for variables that each thread has for itself; "": each process has one thread. */
static inline const char *fth_proxy_of_thread(const struct fth_writing *writing)
{
    return writing->threads ? "_Thread_local " : "";
}
/* Does this member do what is being written? */
static inline bool fth_proxy_is_written_for(const struct fth_writing *writing, size_t member)
{
    return !writing->body->makers || writing->makers & 1u << writing->body->members[member]->group;
}
/* The first that does. */
static inline size_t fth_proxy_first_written(const struct fth_writing *writing)
{
    size_t member = 0;
    while (!fth_proxy_is_written_for(writing, member))
        member++;
    return member;
}

/* Does it use a library that refuses to write numbers that do not fit into another type? */
static inline bool fth_proxy_converts(const struct fth_writing *writing)
{
    return fth_interned_before(&writing->used, "netcdf", 6) ||
           fth_interned_before(&writing->used, "pnetcdf", 7);
}

/* The program runs with so many ranks at least and at most, because. */
void fth_proxy_limit_ranks(struct fth_writing *writing, int64_t least, int64_t most,
                           const char *why);

/* What is being written is known of the ranks of the run only. */
void fth_proxy_only_ranks_of_run(struct fth_writing *writing);

/* ---- expressions: texts to be freed ---- */

/* 5, 5000000000L */
char *fth_proxy_write_literal(int64_t number);
/* A number that is the same in all calls of a process, and for some a constant with a name. */
char *fth_proxy_write_named(struct fth_writing *writing, const int64_t *numbers,
                            const struct fth_seen_numbers *const *seen, bool *constant);
/* A number for each process of the body: 5, "8 * rank + 16", or a table. */
char *fth_proxy_write_ranked(struct fth_writing *writing, const int64_t *numbers, bool *constant);
/* Do these numbers, of each process of the body, grow by as much from rank to rank (in a ring)? */
bool fth_proxy_slope(const struct fth_writing *writing, const int64_t *numbers, int64_t *slope);
/* A number of a statement, or the value that a call passes on. */
char *fth_proxy_write_number(struct fth_writing *writing, const struct fth_item *item,
                             uint32_t number, int64_t *constant, bool *is_constant);
/* The part of each rank in this number of a statement, an extent that grows with their number; 0:
 * it does not. And are places in this dimension in arrays that grow? */
int64_t fth_proxy_part(const struct fth_writing *writing, const struct fth_item *item,
                       uint32_t number);
bool fth_proxy_has_grown_place(const struct fth_writing *writing, const struct fth_item *item,
                               uint32_t dimension);
/* One that follows no rule. */
char *fth_proxy_write_series(struct fth_writing *writing, const struct fth_body_value *value);
/* The next number of a table with these. */
char *fth_proxy_write_table(struct fth_writing *writing, const struct fth_number_series *series);
/* The name of a parameter of the function that is being written. */
void fth_proxy_write_parameter(const struct fth_writing *writing, uint32_t function, uint32_t value,
                               char name[static 48]);
/* "i", "j" ...: the counter of a loop. */
void fth_proxy_write_counter(const struct fth_body_function *function, int loop,
                             char name[static 16]);
/* Is the value passed as an argument? */
bool fth_proxy_write_is_passed(const struct fth_body *body, const struct fth_body_value *value);

/* ---- statements and functions ---- */

/* "rank == 0": whether a process is one of those with these ranks, in ascending order. */
char *fth_proxy_write_condition(struct fth_writing *writing, const int64_t *ranks, size_t count);

void fth_proxy_write_statement(struct fth_writing *writing, FILE *to, const struct fth_item *item,
                               int indent);
/* ns. */
static inline int64_t fth_item_mean_gap(const struct fth_item *item)
{
    return item->gap_count ? item->gap / (int64_t)item->gap_count : 0;
}
/* Does the program compute before it? */
static inline bool fth_proxy_has_gap(const struct fth_writing *writing, const struct fth_item *item)
{
    enum { LEAST_GAP = 10000 /* ns: less is no computation */ };
    return writing->settings->spins && item->kind == FTH_ITEM_STATEMENT &&
           fth_item_mean_gap(item) >= LEAST_GAP;
}
/* Writes the first of these items as one loop over tables, where they are calls that differ in
 * nothing but constant numbers; and returns how many that were. 0: it would not be shorter. */
uint32_t fth_proxy_write_folded(struct fth_writing *writing, FILE *to, const struct fth_item *items,
                                uint32_t count, int indent);
/* The functions of a body, those that are called first; and what is in the body itself. */
void fth_proxy_write_body(struct fth_writing *writing, const struct fth_body *body, FILE *to,
                          int indent);

/* A name, with a byte 1 for each of its numbers, and these where they are constants. */
struct fth_secret_name {
    const char *text;
    bool is_path;
    int64_t numbers[8];
    unsigned widths[8]; /* with zeros in front; 0: without */
};

/* The name with pseudonyms for its parts, "results/run" as "n1/n2": the same for the same part. It
 * has a byte 1 for each number that stays, as the program counts it somewhere: kept[] says which of
 * those of the name. Others are part of what a pseudonym stands for. free() it. */
char *fth_proxy_write_anonymous(struct fth_writing *writing, const struct fth_secret_name *name,
                                size_t kept[static 8]);
/* Finds out which numbers the statements of a body count. */
void fth_proxy_find_counting(struct fth_writing *writing, const struct fth_body *body);

/* Text as in a string of C, without the quotes. */
void fth_proxy_write_escaped(FILE *to, const char *text, bool is_format);

#endif

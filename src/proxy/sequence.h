/* What a process did, as a grammar over statements. A statement is a form of calls together with
 * those of its numbers that have few values; its other numbers are found out later, where the
 * statement stands in the program. */
#ifndef FTH_PROXY_SEQUENCE_H
#define FTH_PROXY_SEQUENCE_H

#include "proxy/program_calls.h"

struct fth_statement {
    uint32_t form;  /* of the process: fth_process_forms */
    int64_t *first; /* NULL: the process does not make it, others of its body do */
    bool *varies;   /* of each number: was it ever another one than the first? */
    /* Of each number, where it is an extent that grows with the number of ranks: of which each has
     * such a part (grown_arrays.h); NULL: none does. And bits: the dimensions in which its places
     * are in arrays that grow. */
    int64_t *parts;
    uint32_t grown_places;
};

/* A stretch of the calls of a process: those from call `from` up to, not including, `to`. */
struct fth_sequence {
    struct fth_intern symbols; /* keys of statements */
    struct fth_statement *statements;
    uint64_t from, to;
    uint8_t *grammar; /* as fth_grammar_write makes it; NULL: no calls */
    size_t grammar_length;
};

/* A form, and what is known of its numbers in all of its calls. */
struct fth_known_form {
    struct fth_form form;
    struct fth_seen_numbers {
        int64_t *values;
        uint32_t count;
        bool many;    /* more values than are kept */
        int64_t most; /* the largest one, at least 0 */
        bool keyed;   /* its value is part of the statement */
        uint8_t width;
        bool odd; /* of a name: its digits follow no rule */
        /* one of its values is a constant with a name (MPI_PROC_NULL); or NULL */
        char *name;
        int64_t named;
    } * numbers;
    uint64_t calls;
};

/* One thread of a process, with the calls before and after it knows its rank. */
struct fth_proxy_process {
    size_t proc;
    uint32_t thread; /* 0: the first one */
    uint32_t slot;   /* its place among threads that are repeated; 0: the first one */
    int64_t rank;
    enum fth_proxy_skips skips;
    bool is_loose;           /* amounts are no parts of its statements, as they follow no rule */
    struct fth_intern forms; /* keys */
    struct fth_known_form *known;
    uint64_t calls, data_calls;          /* these read or write */
    uint64_t fills;                      /* of the calls: they are none (struct fth_form) */
    uint64_t steps;                      /* the same */
    uint32_t slots;                      /* processes that it has started at once */
    const struct fth_proxy_scope *scope; /* around it */
    /* The numbers of the first calls that asked for its rank, and that started MPI, plus 1; 0: none
     * of the first ones did. */
    uint64_t rank_known, started;
    uint64_t bytes;                              /* of the largest buffer */
    struct fth_variable_space variables, shared; /* most of each class */
    struct fth_sequence start, rest;
    uint32_t group;   /* in a body that several groups share */
    uint32_t program; /* of one that is started: which, from 1; its rank is its number there */
};

/* Where the sequence `start` of a process ends. */
enum fth_proxy_split {
    FTH_SPLIT_NOWHERE, /* it has none */
    FTH_SPLIT_RANK,    /* with the call that asks for the rank */
    FTH_SPLIT_START,   /* with the call that starts MPI */
};

/* Looks at the calls of all processes: which forms and numbers they have. */
int fth_proxy_look(struct fth_proxy_process *processes, size_t count, struct fth_trace *trace,
                   struct fth_proxy_summary *summary, struct fth_error **error);
/* Reads the process again, and makes its sequences, in place of others. */
int fth_proxy_make_grammar(struct fth_proxy_process *process, struct fth_trace *trace,
                           enum fth_proxy_split split, struct fth_error **error);
/* Are the grammars of some far longer than their statements? Then amounts with few values, which
 * come in no order, are taken out of their statements: the processes are to be read again. */
bool fth_proxy_loosen(struct fth_proxy_process *processes, size_t count);
void fth_sequence_free(struct fth_sequence *sequence);
void fth_proxy_process_free(struct fth_proxy_process *process);

static inline const struct fth_known_form *
fth_statement_form(const struct fth_proxy_process *process, const struct fth_sequence *sequence,
                   uint32_t statement)
{
    return &process->known[sequence->statements[statement].form];
}

/* Would they be the same program, but for numbers? */
bool fth_sequence_is_like(const struct fth_proxy_process *one, const struct fth_sequence *a,
                          const struct fth_proxy_process *other, const struct fth_sequence *b);

#endif

/* The processes of a run that its program has, and how they come from each other. Roots are what
 * the program begins with: the ranks, or what was started first. A process that a root started, and
 * so on, is started by the program in the same place. Those that do the same are one program of it
 * each time, by a number of their own. Inner header of the proxy room. */
#ifndef FTH_PROXY_RELATIVES_H
#define FTH_PROXY_RELATIVES_H

#include "proxy/standard_handles.h"
#include "proxy/variables.h"
#include "repeat/what/ways.h"

struct fth_relatives_member { /* a process of the trace */
    bool is_root;
    int64_t rank;        /* of the root that it comes from */
    uint64_t order;      /* of those with this rank: in which they are started */
    bool is_started;     /* by a call that the program can repeat */
    bool is_wanted;      /* it makes calls that are repeated, or starts such a process */
    bool is_new_program; /* from its start: it has no streams and memory of who started it */
    bool ends_itself;    /* and what streams hold then is written (exit); else as by _exit */
    uint64_t calls;      /* that are repeated, without those that start or await processes */
    /* When it begins: open handles, and what becomes of the standard ones. */
    struct fth_variables variables;
    enum fth_standard_state states[FTH_STANDARD_HANDLES];
    char *folder; /* where the program works then; NULL: where the process does */
    /* Which program it is, from 1, and which number it has among those that are the same. */
    uint32_t program;
    int64_t number;
};

struct fth_relatives {
    size_t count; /* of processes */
    struct fth_relatives_member *members;
    bool is_looking; /* what members inherit is being found out */
    uint64_t begun;  /* so many have been started */
};

/* What a process does with another one. */
enum fth_relatives_step {
    FTH_RELATIVES_NOTHING,
    FTH_RELATIVES_STARTS,
    FTH_RELATIVES_AWAITS,
    FTH_RELATIVES_BECOMES, /* another program: itself, from now on */
    /* What a thread does with others of its process (run_threads.h). */
    FTH_THREADS_START,
    FTH_THREADS_JOIN,
    FTH_THREADS_PASS, /* a mark: others wait until it has come so far */
    FTH_THREADS_WAIT, /* until another one has passed so many marks */
};

struct fth_relatives *fth_relatives_open(const struct fth_trace *trace);
void fth_relatives_close(struct fth_relatives *relatives); /* NULL is allowed */

/* `parent` starts or becomes a process, with these handles in this folder. */
void fth_relatives_begin(struct fth_relatives *relatives, size_t parent, size_t proc,
                         bool is_new_program, const struct fth_variables *variables,
                         const struct fth_standard_handles *standard, const char *folder);
/* After all calls have been counted: which are wanted. Returns how many of these make calls. */
size_t fth_relatives_choose(struct fth_relatives *relatives, const struct fth_trace *trace);

#endif

/* The calls of a thread of a process that the program makes: its outermost ones, of the layers that
 * access files and of MPI, on files of its own. Those of the system's and libraries' files, and
 * those that cannot be written, are left out and counted. The calls of other threads are read, too,
 * as they make handles. */
#ifndef FTH_PROXY_KEPT_CALLS_H
#define FTH_PROXY_KEPT_CALLS_H

#include "proxy/relatives.h"
#include "proxy/forms.h"
#include "proxy/proxy.h"
#include "proxy/run_threads.h"
#include "repeat/what/children.h"
#include "repeat/what/file_places.h"

/* What is known around a process. */
struct fth_proxy_scope {
    const struct fth_repeat_ways *ways;     /* FTH_REPEAT_LIBRARIES */
    const struct fth_repeat_places *places; /* of its files, or NULL */
    struct fth_relatives *relatives;        /* NULL: it starts no others */
    struct fth_run_threads *threads;        /* by process; NULL: each has one thread */
    const char *directory;                  /* of the first process; NULL: as each has its own */
};

enum { FTH_LAST_START = 16 /* the rank is asked for among so many calls, or never */ };

struct fth_proxy_calls {
    struct fth_proxy_scope scope;
    struct fth_calls *calls;
    struct fth_accesses *accesses;
    struct fth_access access;
    struct fth_variables variables;
    struct fth_form_context context;
    struct fth_standard_handles standard;
    struct fth_form_reading reading; /* of the last call */
    bool started;                    /* MPI, or there is none */
    uint32_t thread;                 /* whose calls are wanted; or FTH_ALL_THREADS */
    struct fth_run_threads *threads; /* of the process; or NULL */
    size_t thread_steps;             /* of the thread, that have been given */
    uint64_t given;                  /* calls and steps; see program_calls.h */
    bool knows_rank;                 /* one of these asked for it */
    int64_t gap;                     /* ns since the call before */
    int64_t before;
    /* What was found out once: of functions by their rows, and of files by their numbers. */
    struct fth_known_function {
        bool known;
        const char *why; /* it is left out, see kept_calls.c */
    } * functions;
    uint8_t *noise; /* 0: not known; 1: no; 2: yes */
    uint32_t function_limit, noise_limit;
    struct fth_repeat_outer outer;
    char *run_folder, *own_folder; /* of context.folders, where the process went there */
    bool is_outermost;             /* the last call */
    bool is_over;                  /* there are no more */
    bool ends_itself;              /* so far: see struct fth_relatives_member */
    bool has_ended;                /* it ends by a call, which may make others */
    /* steps of the relatives: relatives_steps.c */
    struct fth_repeat_children children;
    struct fth_repeat_child child; /* what is still to be done with it */
    bool is_looked_at, has_become;
    struct fth_keyed had_bytes; /* of bool, by slot of a stream */
    size_t *slots;              /* places of those that are running: process + 1; 0: free */
    uint32_t slot_limit, most_slots;
    const struct fth_unseen_list *unseen; /* what came to streams without a call; or NULL */
    const struct fth_unseen_bytes *fills; /* of it, before the call of `access` */
    size_t fill_count;                    /* that are still to come */
    bool holds;                           /* this call, until they have */
    struct fth_proxy_summary *summary;    /* where calls are counted that are left out; or NULL */
};

/* `thread`: of the process; or FTH_ALL_THREADS, without the steps of threads. -1 and *error: the
 * trace is damaged. */
int fth_kept_calls_open(struct fth_proxy_calls *kept, struct fth_trace *trace, size_t proc,
                        uint32_t thread, const struct fth_proxy_scope *scope,
                        struct fth_proxy_summary *summary, struct fth_error **error);
/* 1: kept->reading is of the next one, or of what is no call: what came to a stream before it
 * (form.fills), or a step of the relatives (form.step); 0: there are no more; -1: damage. */
int fth_kept_calls_next(struct fth_proxy_calls *kept, struct fth_error **error);
void fth_kept_calls_close(struct fth_proxy_calls *kept);
/* Is the last call, or step, one of the thread that is wanted? */
bool fth_kept_calls_is_own(const struct fth_proxy_calls *kept);
/* Counts the last call, which is left out, with the reason: where its thread, or the first one for
 * those that are not repeated, is read. */
void fth_kept_calls_leave_out(struct fth_proxy_calls *kept, const char *why);
/* The call is left out: what it has made or replaced, no call that is kept has made. */
void fth_kept_calls_lose(struct fth_proxy_calls *kept, const struct fth_row *row);

#endif

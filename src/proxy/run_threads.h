/* The threads of the processes that a program repeats, and what orders them: where each begins and
 * is over, and where one waits for another, as steps between its calls. All of them come from the
 * recorded times of calls that have to do with each other (repeat/what/thread_order.h). A process
 * with one thread has none of this. Inner header of the proxy room. */
#ifndef FTH_PROXY_RUN_THREADS_H
#define FTH_PROXY_RUN_THREADS_H

#include "base/keyed.h"
#include "proxy/relatives.h"

/* Of a process: the calls of all its threads. */
#define FTH_ALL_THREADS UINT32_MAX

/* A step that stands before the calls of its thread from this number on. */
struct fth_thread_step {
    uint64_t before;
    enum fth_relatives_step what;
    uint32_t thread; /* that is started, joined, or waited for */
    uint64_t passed; /* so many of its marks, where it is waited for */
};

struct fth_run_thread {
    bool is_repeated; /* it makes calls that are */
    uint32_t slot;    /* its place among these, in the order in which they begin; 0: the first */
    size_t step_count;
    struct fth_thread_step *steps; /* in order */
    /* Which program it is, from 1, and which number it has among those that are the same. */
    uint32_t program;
    int64_t number;
};

struct fth_run_threads { /* of a process */
    uint32_t count;      /* 0: it has one thread */
    uint32_t repeated;
    struct fth_run_thread *list;
    struct fth_keyed shared; /* handles: see struct fth_variables */
};

void fth_run_threads_add(struct fth_run_threads *threads, uint32_t thread,
                         const struct fth_thread_step *step);
/* They are as of a process with one thread then. */
void fth_run_threads_free(struct fth_run_threads *threads);

static inline bool fth_run_threads_repeats(const struct fth_run_threads *threads, uint32_t thread)
{
    return threads && thread < threads->count && threads->list[thread].is_repeated;
}

#endif

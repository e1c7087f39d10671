/* The reference that the tracer has kept of a process (src/capture/record/reference.h), read back.
 */
#ifndef LOG_H
#define LOG_H

#include "model/calls/present.h"
#include "trace/merge/aio.h"

/* A call of the reference that waits to be compared. */
struct expected {
    size_t line; /* in the thread's `lines` */
    uint64_t entry, exit;
    uint32_t depth;
    size_t inside; /* calls inside it; in order of exit, they stand right before it */
    uint64_t number, parent;
};

struct thread {
    const char *at, *end;            /* its lines of the reference; NULL: there is no such thread */
    struct fth_thread_reader reader; /* of which only the state is used */
    uint32_t *texts, text_limit;     /* by number: text of the process */
    struct fth_bytes lines;
    /* the last call that is in no other and those inside it, in order of entry; the next one to be
     * compared is at `next` */
    struct expected *expected;
    size_t count, next, limit;
    uint64_t number;
    /* of the call before */
    uint64_t last_exit;
    uint32_t last_depth;
};

/* What calls come to, by function and flags or by path (sums.c). */
struct sum {
    uint64_t calls, errors, opens, bytes_read, bytes_written, ticks;
};
struct sums {
    struct fth_intern keys;
    struct sum *rows;
    uint32_t limit;
};

struct process {
    struct fth_trace *trace;
    size_t proc;
    struct fth_process_names names;
    struct fth_presenter presenter;
    struct fth_intern kinds; /* what stands for signatures */
    struct fth_arena arena;
    struct thread *threads;
    uint32_t thread_limit;
    struct sums functions, files;
    struct fth_aio aio;
};

void log_open(struct process *process, struct fth_trace *trace, size_t proc);
void log_close(struct process *process);
/* Adds the threads of a file. */
void log_take_file(struct process *process, const char *path);
/* When all files have been taken: threads are counted without those that have no calls, as readers
 * do. */
void log_close_gaps(struct process *process);
/* The thread's next call, NULL: there is none; and what is shown of it. */
const struct expected *log_next(struct process *process, uint32_t number);
const char *log_shown(const struct process *process, uint32_t number,
                      const struct expected *expected);

/* What is shown of a call as a line of text (shown.c): all but its times, its number and its
 * parent. */
void put_call(struct fth_bytes *to, const struct fth_call *call);

void sums_add(struct process *process, const struct fth_raw_call *raw, const struct fth_call *call);
void sums_free(struct sums *sums);
/* When all calls of the reference have been read. */
void sums_compare(struct process *process);

/* Reading from the middle on (middle.c). */
void middle_compare(const struct process *process);

/* Says what is wrong, and ends the program. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif

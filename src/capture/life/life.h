/* When recording begins and ends in this process. Inner header of the capture room. */
#ifndef FTH_CAPTURE_LIFE_LIFE_H
#define FTH_CAPTURE_LIFE_LIFE_H

#include "capture/record/runtime.h"

/* What wrappers have to do then, which stand above this. */
struct fth_wrapper_events {
    /* The process is about to record, and: it does from now on. */
    void (*recording_begins)(void);
    void (*recording_has_begun)(void);
    /* It does not, but there is something below the wrappers. */
    void (*nothing_is_recorded)(void);
    /* In a forked child: its only thread begins anew. */
    void (*in_child)(void);
    /* A thread has got its recorder; and is about to give it back. */
    void (*thread_begins)(struct fth_recorder *recorder);
    void (*thread_ends)(struct fth_recorder *recorder);
    /* A longjmp has left all frames below this stack pointer. */
    void (*frames_left)(struct fth_recorder *recorder, uintptr_t stack);
};
/* Defined above (wrapper_events.c). */
extern const struct fth_wrapper_events fth_wrapper_events;

/* Starts recording in this process, or decides not to. `forked_from`: image of the parent, 0 when
 * this is a new program. */
void fth_process_start(uint64_t forked_from);
/* What follows when that is decided. */
void fth_process_started(void);
/* It ends, because system calls of ours may kill the program from now on; `since`: "after it has
 * ..." */
void fth_process_step_aside(const char *since);
/* The program jumps: maybe out of a signal handler that interrupts us. */
void fth_longjmp_seen(uintptr_t stack);
void fth_process_ended(enum fth_spill_end how, int status);
/* It ends, and exit handlers may still make calls. */
void fth_process_exits(int status);
/* In the child of a fork, as soon as it runs: no thread has a recorder. */
void fth_process_forked(void);
/* A call was recorded that may come after exit handlers: the process has not ended before it. */
void fth_process_goes_on(void);
/* Around a call that gives the program another root. */
void fth_before_chroot(void);
void fth_after_chroot(int result);

#endif

/* Inner header: what the parts of the player share. The player does the calls of scripts
 * (player/player_script.h): one of its processes for each process of the recorded run, with as many
 * threads. It says nothing but on the standard error stream, and only if it cannot go on. */
#ifndef FTH_PLAYER_PLAYER_H
#define FTH_PLAYER_PLAYER_H

#include "player/player_script.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* How many operations a thread has done, alone in its line of the cache. */
struct fth_player_steps {
    _Alignas(64) uint64_t done;
};

struct fth_player {
    const char *folder; /* of the scripts */
    const struct fth_script_plan *plan;
    const struct fth_script_process *processes;
    const struct fth_script_function *functions;
    const struct fth_script_blob *blobs;
    const char *bytes;
    void **addresses; /* by function; NULL: there is none */
    int64_t **slots;  /* by class and slot */
    char *given;      /* what writes and sends take their bytes from */
    char *words_end;  /* behind the longest text */
    int64_t *known;   /* predefined handles, by blob */
    bool *is_known;
    /* CLOCK_MONOTONIC, ns, at which the recorded time `plan->begin` is */
    int64_t base;
    bool in_mpi;
    bool is_child;                       /* another process of the replay began this one */
    bool adopts;                         /* gets those whose parents end before them */
    bool gave_up;                        /* a call on a pipe waited too long */
    void (*abort)(void);                 /* of MPI */
    uint32_t process;                    /* that this one plays */
    pid_t *children;                     /* by process: those that are not waited for yet */
    struct fth_script_outcome *outcomes; /* by function, of threads that ended */
    int64_t first, last, late;
    int64_t processor;    /* that it had used when its calls began, ns */
    pthread_mutex_t lock; /* of what threads hand over when they end */
    pthread_t *threads;
    bool *is_started;
    struct fth_player_steps *steps; /* by thread */
};
extern struct fth_player fth_player;

/* What this thread is about: of messages about signals. NULL: no call. */
extern _Thread_local const struct fth_script_op *fth_player_doing;

/* What one thread has. */
struct fth_player_thread {
    uint32_t number;
    char *taken; /* where its reads and receives go to */
    /* does what is about other processes and threads */
    void (*start_others)(const struct fth_script_op *op);
    struct fth_script_outcome *outcomes;
    int64_t first, last, late;
    const uint8_t *times, *times_end; /* of what comes next; NULL: there are none */
    int64_t time;                     /* of what came last, ns in the recorded run */
};

static inline const char *fth_player_blob(int64_t number)
{
    return fth_player.bytes + fth_player.blobs[number].at;
}
static inline size_t fth_player_blob_length(int64_t number)
{
    return fth_player.blobs[number].length;
}

/* player_state.c. Prints it and ends the process (of MPI: all ranks). */
void fth_player_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
int64_t fth_player_now(void);

/* end_at_signals.c: signals that end a process say which call they came in. */
void fth_player_catch_signals(void);

/* load_plan.c: maps the plan, and looks for its functions. */
void fth_player_load(const char *folder, const char *mpi_library, const char *hdf5_library);
/* A script: its words, to the end; NULL: the thread has none. */
const int64_t *fth_player_script(uint32_t process, uint32_t thread, const int64_t **end);
const uint8_t *fth_player_times(uint32_t process, uint32_t thread, const uint8_t **end);

/* player_mpi.c */
void fth_player_load_mpi(const char *path);
int64_t fth_player_predefined(const char *name);
unsigned fth_player_handle_width(unsigned handle_class);
int64_t fth_player_in_place(void);
/* After MPI has begun: errors are returned, and all ranks have the same base. */
void fth_player_meet_all(void);
/* *request: of one that does not block. */
int fth_player_barrier(int64_t comm, enum fth_script_meeting meeting, int64_t *request);
int fth_player_wait_all(int64_t *slots, const int64_t *numbers, size_t count);

/* player_hdf5.c: loads the library; "" for one that fits the MPI of the run. */
void fth_player_load_hdf5(const char *path);
/* Brings it up, if it is not: behind MPI, and before times count, as in a program. */
void fth_player_begin_hdf5(void);
int64_t fth_player_hdf5_predefined(const char *name);
/* Whatever the run left open is closed, as at the end of its process. */
void fth_player_end_hdf5(void);

/* call_function.c: calls the function of an operation. *error: errno behind it. */
int64_t fth_player_call(struct fth_player_thread *thread, const struct fth_script_op *op,
                        int *error);
/* Whether the flag that it stores last is set. */
bool fth_player_flag(void);

/* follow_descriptors.c: standard streams stand on descriptors, which lead elsewhere after dup2.
 * Opens the stream of a slot on a descriptor, 0 to 2; 0 and *error: it cannot. */
int64_t fth_player_open_standard(int64_t stream_slot, int64_t descriptor, int *error);
/* What a standard descriptor leads to may have changed: so do their streams. */
void fth_player_follow_descriptors(void);
/* The stream is closed. */
void fth_player_forget_stream(int64_t stream);
/* Another program goes on in this process: it has streams of its own, and of the descriptors those
 * that stay open on exec. */
void fth_player_close_on_exec(void);

/* do_op.c: does one that is not about other processes and threads. *error: errno behind it. */
int64_t fth_player_do(struct fth_player_thread *thread, const struct fth_script_op *op, int *error);

/* move_whole.c: the same bytes as in the run through a pipe, in however many parts. */
int64_t fth_player_move_whole(struct fth_player_thread *thread, const struct fth_script_op *op,
                              int file, int *error);

/* limit_waits.c: a call on a pipe that lasts too long is interrupted. Until when it may last. */
int64_t fth_player_wait_limit(void);
void fth_player_begin_wait(void);
/* Whether it was interrupted. */
bool fth_player_end_wait(void);

/* note_outcome.c: whether a call failed that had this result. */
bool fth_player_failed(const struct fth_script_function *function, int64_t result);
/* Counts the call, and its time, ns. */
void fth_player_note(struct fth_player_thread *thread, const struct fth_script_op *op, int64_t time,
                     int64_t result, int error);

/* play.c: what a thread does. */
void fth_player_play(struct fth_player_thread *thread);

/* player_processes.c */
void fth_player_begin_process(uint32_t process);
void fth_player_fork(uint32_t process);
void fth_player_end_process(void);

#endif

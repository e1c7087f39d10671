/* The calls of a process that are being read, and its threads. They are opened and closed in
 * calls_opening.c; in calls.c threads are merged by time; thread_calls.c decodes the calls of a
 * thread, up to where some can go out; call_turns.c and call_loops.c find among them what came
 * before. Inner header of the model room. */
#ifndef FTH_MODEL_CALLS_CALLS_STATE_H
#define FTH_MODEL_CALLS_CALLS_STATE_H

#include "model/calls/chosen.h"
#include "model/calls/completed.h"
#include "model/calls/control_blocks.h"
#include "model/calls/entry_order.h"
#include "model/calls/loops.h"
#include "model/calls/seek.h"
#include "model/handles/handle_tree.h"

struct fth_calls_thread {
    const struct fth_stretch *stretches;
    size_t stretch_count;
    int64_t next_start; /* of its next call, or a time before that */
    bool open, ended;   /* being read; all read */
    struct fth_thread_reader reader;
    /* decoded: calls of a turn that may come again, which are shown when it does not, and behind
     * them the last one */
    struct fth_raw_call *raw;
    uint32_t raw_kept, raw_limit;
    /* decoded ahead: the reader's state is that of this call already */
    bool is_ahead;
    int ahead_status;
    struct fth_raw_call ahead;
    struct fth_error *ahead_error;
    bool again;                   /* the turn does, and is given as a whole */
    const struct fth_turn *noted; /* the turn that is given call by call, and will be known then */
    bool alone; /* it is in no other, and no other in it: it goes out as it is, nothing waits */
    struct fth_entry_order inner; /* those that wait */
    struct fth_arena arena;       /* what the values of one that goes out alone point to */
    uint64_t next_number;
    struct fth_thread_starts starts;
    bool starter_is_known; /* of the thread itself */
    struct fth_starter starter;
};

struct fth_calls {
    struct fth_trace *trace;
    size_t proc;
    struct fth_presenter presenter;
    const struct fth_model_process *process;
    struct fth_process_names names;
    struct fth_share *shares;
    size_t share_count;
    struct fth_stretch *stretches;
    struct fth_calls_thread *threads;
    size_t thread_count;
    int64_t from; /* what ended before it is left out; INT64_MIN: nothing */
    struct fth_seeker seeker;
    struct fth_turns *turns;          /* NULL: nobody asked for them */
    struct fth_handle_tree *handles;  /* NULL: nobody asked for them */
    struct fth_completed *completed;  /* NULL: bytes are those asked for */
    struct fth_control_blocks blocks; /* of the call that was given last */
    struct fth_chosen *chosen;        /* NULL: all are wanted */
    uint64_t left_out;                /* calls */
    struct fth_starts starts;
    bool has_starts;
    struct fth_calls *past; /* who started threads before `from`; NULL: nobody has asked */
    /* threads that have calls left: a heap, the one with the earliest call first */
    uint32_t *queue;
    size_t queue_length;
};
/* ---- calls_opening.c ---- */

/* Is the next call of the one before that of the other? */
bool fth_calls_is_before(const struct fth_calls *calls, uint32_t one, uint32_t other);
void fth_calls_close_thread(struct fth_calls_thread *thread);

/* ---- thread_calls.c ---- */

/* Decodes until calls are ready to go out: a call that is in no other has come, or the thread's
 * calls are over. -1: damaged. */
int fth_calls_fill(struct fth_calls *calls, struct fth_calls_thread *thread,
                   struct fth_error **error);

/* ---- call_turns.c ---- */

void fth_calls_begin_turn(struct fth_turns *turns, bool is_plain);
/* Is a call that was shown before, or has just been, one of those that leave everything as it is?
 * Then it is added to the turn that is being gathered. */
bool fth_calls_gather(struct fth_calls *calls, const struct fth_calls_thread *thread,
                      const struct fth_raw_call *raw);
/* The kept calls are a whole turn. If it came before, it is given as a whole. */
bool fth_calls_comes_again(struct fth_calls *calls, struct fth_calls_thread *thread);
/* The turn that was gathered goes out call by call: it will be known when it comes again. */
void fth_calls_note_turn(struct fth_calls *calls, struct fth_calls_thread *thread);
/* Of a call of this function that is given, at this place of its turn. */
void fth_calls_set_site(struct fth_turns *turns, const struct fth_calls_thread *thread,
                        size_t function, size_t place);
/* Nothing that other threads do may come in between: calls that end before this. */
int64_t fth_calls_begin_of_others(const struct fth_calls *calls);
/* As long as they end before `others`; how many that are. */
uint32_t fth_calls_put_times(const struct fth_calls *calls, const struct fth_calls_thread *thread,
                             const struct fth_timed *timed, uint32_t count,
                             struct fth_again_time *times, int64_t others);

/* ---- call_loops.c ---- */

/* A call that goes out alone and on with a loop is kept, and is the site of a place of the loop's
 * rounds. */
bool fth_calls_keep_for_loops(struct fth_calls *calls, struct fth_calls_thread *thread);

#endif

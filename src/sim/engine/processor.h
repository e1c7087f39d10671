/* The processors of a node: all that is computed on it shares them equally, each job on one of them
 * at most. Jobs are notified when they are done; the time of that is known without events in
 * between, and changes only when a job begins or ends. */
#ifndef FTH_SIM_ENGINE_PROCESSOR_H
#define FTH_SIM_ENGINE_PROCESSOR_H

#include "sim/engine/engine.h"

struct fth_sim_processor;

/* Many days of work in fractions of a nanosecond are more than 64 bits. */
typedef __int128 fth_sim_work __attribute__((aligned(8)));

struct fth_sim_job {
    void (*done)(struct fth_sim_engine *engine, struct fth_sim_job *job);
    struct fth_sim_job *next;
    fth_sim_work end; /* in the work that each job of the processor has got since it was idle */
};

struct fth_sim_processor {
    struct fth_sim_target wake;
    struct fth_sim_engine *engine;
    uint32_t count;     /* processors */
    uint32_t processes; /* that are on the node */
    uint32_t running;
    uint32_t polling;         /* who work on nothing and take their shares all the same */
    uint32_t most;            /* processors that worked at the same time */
    struct fth_sim_job *jobs; /* by their ends */
    fth_sim_work work;        /* what each job has got */
    int64_t since;            /* up to when */
    int64_t wake_time;        /* of the event that counts; earlier ones were superseded */
    uint64_t speed;           /* instructions per second */
    unsigned __int128 used;   /* ns of all processors together */
    int64_t worked;           /* ns in which any of them worked */
};

/* `instructions` per second and processor. */
void fth_sim_processor_init(struct fth_sim_processor *processor, struct fth_sim_engine *engine,
                            uint32_t count, uint64_t speed);

/* One more polls, or one less. */
void fth_sim_processor_polls(struct fth_sim_processor *processor);
void fth_sim_processor_polled(struct fth_sim_processor *processor);

/* How long the processors have worked, had they shared it evenly; no more of them than there are
 * processes, as a process computes on one. */
int64_t fth_sim_processor_busy(const struct fth_sim_processor *processor);

/* The job needs that many instructions; `done` is set. Takes at least a nanosecond. */
void fth_sim_compute(struct fth_sim_processor *processor, struct fth_sim_job *job,
                     uint64_t instructions);
/* The same, of so much time alone on a processor. */
void fth_sim_compute_time(struct fth_sim_processor *processor, struct fth_sim_job *job,
                          int64_t nanoseconds);

#endif

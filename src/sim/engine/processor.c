/* Processor sharing. Work is counted in fractions of a nanosecond on a processor of one's own; with
 * n jobs on c processors each job gets min(1, c / n) of that per nanosecond. */
#include "sim/engine/processor.h"

enum { FRACTIONS = 4096 };

static void wake(struct fth_sim_engine *engine, struct fth_sim_target *target);

void fth_sim_processor_init(struct fth_sim_processor *processor, struct fth_sim_engine *engine,
                            uint32_t count, uint64_t speed)
{
    *processor = (struct fth_sim_processor){
        .wake.happen = wake, .engine = engine, .count = count, .speed = speed, .wake_time = -1};
}

static bool is_shared(const struct fth_sim_processor *processor)
{
    return processor->running + processor->polling > processor->count;
}

/* Brings the work that was done up to the present. */
static void advance(struct fth_sim_processor *processor)
{
    int64_t elapsed = processor->engine->now - processor->since;
    processor->since = processor->engine->now;
    if (!processor->running)
        return;
    uint32_t working = is_shared(processor) ? processor->count : processor->running;
    processor->used += (unsigned __int128)elapsed * working;
    processor->worked += elapsed;
    if (is_shared(processor))
        processor->work += (__int128)elapsed * FRACTIONS * processor->count /
                           (processor->running + processor->polling);
    else
        processor->work += (__int128)elapsed * FRACTIONS;
}

/* An event for the end of the first job, unless there is one. */
static void plan(struct fth_sim_processor *processor)
{
    __int128 left = processor->jobs->end - processor->work;
    if (left < 0)
        left = 0;
    __int128 rate = FRACTIONS;
    if (is_shared(processor)) {
        left *= processor->running + processor->polling;
        rate *= processor->count;
    }
    int64_t delay = (int64_t)((left + rate - 1) / rate);
    if (processor->wake_time == processor->engine->now + delay)
        return;
    processor->wake_time = processor->engine->now + delay;
    fth_sim_after(processor->engine, delay, &processor->wake);
}

static void wake(struct fth_sim_engine *engine, struct fth_sim_target *target)
{
    struct fth_sim_processor *processor = (struct fth_sim_processor *)target;
    if (processor->wake_time != engine->now) {
        fth_sim_uncount(engine);
        return;
    }
    processor->wake_time = -1;
    advance(processor);
    /* Who is done may begin something new at once: that is for the next time. */
    struct fth_sim_job *finished = processor->jobs, *last = NULL;
    for (; processor->jobs && processor->jobs->end <= processor->work; processor->running--) {
        last = processor->jobs;
        processor->jobs = last->next;
    }
    if (!processor->running)
        processor->work = 0;
    if (last)
        last->next = NULL;
    else
        finished = NULL;
    while (finished) {
        struct fth_sim_job *next = finished->next;
        finished->done(engine, finished);
        finished = next;
    }
    if (processor->jobs)
        plan(processor);
}

static void begin(struct fth_sim_processor *processor, struct fth_sim_job *job, __int128 work)
{
    advance(processor);
    job->end = processor->work + (work > FRACTIONS ? work : FRACTIONS);
    struct fth_sim_job **at = &processor->jobs;
    while (*at && (*at)->end <= job->end)
        at = &(*at)->next;
    job->next = *at;
    *at = job;
    processor->running++;
    plan(processor);
}

static void poll(struct fth_sim_processor *processor, bool begins)
{
    advance(processor);
    processor->polling += begins ? 1 : UINT32_MAX;
    if (processor->jobs)
        plan(processor);
}

void fth_sim_processor_polls(struct fth_sim_processor *processor)
{
    poll(processor, true);
}
void fth_sim_processor_polled(struct fth_sim_processor *processor)
{
    poll(processor, false);
}

int64_t fth_sim_processor_busy(const struct fth_sim_processor *processor)
{
    uint32_t count = processor->processes && processor->processes < processor->count
                         ? processor->processes
                         : processor->count;
    int64_t even = (int64_t)(processor->used / count);
    return even < processor->worked ? even : processor->worked;
}

void fth_sim_compute(struct fth_sim_processor *processor, struct fth_sim_job *job,
                     uint64_t instructions)
{
    __int128 work = (__int128)instructions * 1000000000 * FRACTIONS;
    begin(processor, job, (work + processor->speed - 1) / processor->speed);
}

void fth_sim_compute_time(struct fth_sim_processor *processor, struct fth_sim_job *job,
                          int64_t nanoseconds)
{
    begin(processor, job, (__int128)nanoseconds * FRACTIONS);
}

/* What jobs lose in the queue, and what they asked for without using it. */
#include "workflow/tell/job_tables.h"

#include "base/memory.h"
#include "base/phrase.h"
#include "base/saturating.h"

#include <stdio.h>
#include <string.h>

/* Shares of the length of the workflow, of a job, and of what a job asked for. */
static const double worth = 0.05, seen = 0.8, used = 0.5;
static const int64_t least_wait = 1000000000; /* ns: times of batch systems are whole seconds */
/* What a job asks for is much if it is so many times what it used, and at least so much more. */
enum { TIMES_ASKED = 4 };
static const uint64_t least_memory = 1u << 30;             /* bytes */
static const int64_t least_limit = INT64_C(3600000000000); /* ns */

static void find_queue(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow_held *longest = NULL;
    int64_t queued = 0;
    for (uint32_t i = 0; i < facts->schedule.held_count; i++) {
        const struct fth_workflow_held *held = &facts->schedule.held[i];
        FTH_ADD_SATURATING(queued, held->queued);
        if (held->queued && (!longest || held->queued > longest->queued))
            longest = held;
    }
    if (!longest || longest->queued <= least_wait ||
        (double)queued < worth * (double)fth_workflow_length(facts))
        return;
    const struct fth_workflow_job *job = &facts->workflow->jobs[facts->graph.job[longest->step]];
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "queue_wait", "Jobs wait in the queue");
    fth_workflow_set_gain(facts, finding, queued);
    fth_finding_say(finding,
                    "Along the critical path, jobs were in the queue for %s in all, while what "
                    "they needed was there; the longest time is %s, of job %s (%s).",
                    fth_phrase_duration(queued).text, fth_phrase_duration(longest->queued).text,
                    job->number, job->name);
    fth_finding_advise(finding, "Steps of one job in place of a job each wait in the queue once. "
                                "Jobs that ask for less, and for a shorter time, start earlier. "
                                "Submit jobs with dependencies before what they need is there.");
}

/* Processors that it kept busy on average, at most; -1: not known, because its steps were not
 * recorded for most of its time and the batch system does not say. */
static double busy_of(const struct fth_workflow_job *job, const struct fth_job_use *use)
{
    if (job->start == FTH_NEVER || job->end == FTH_NEVER || job->end <= job->start)
        return -1;
    double length = (double)(job->end - job->start);
    if (job->used_time)
        return (double)job->used_time / length;
    return use->steps && (double)(use->end - use->start) >= seen * length
               ? (double)use->busy / length
               : -1;
}

static void find_unused(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    struct fth_job_use *uses = fth_job_uses(facts);
    const struct fth_workflow_job *worst = NULL;
    double most = 0, worst_busy = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < workflow->job_count; i++) {
        const struct fth_workflow_job *job = &workflow->jobs[i];
        double busy = busy_of(job, &uses[i]);
        if (!facts->graph.job_meant[i] || job->processors < 2 || busy < 0 ||
            busy >= used * (double)job->processors)
            continue;
        double lost = ((double)job->processors - busy) * (double)(job->end - job->start);
        count++;
        if (lost <= most)
            continue;
        most = lost;
        worst = job;
        worst_busy = busy;
    }
    free(uses);
    if (!worst || (double)(worst->end - worst->start) < worth * (double)fth_workflow_length(facts))
        return;
    struct fth_finding *finding = fth_finding_add(&results->findings, "resources_not_used",
                                                  "Jobs use less than half of their processors");
    finding->behind = true;
    fth_finding_say(finding,
                    "%s %s at most half of the processors that it asked for; job %s (%s) asked for "
                    "%s processors for %s and kept at most %s of them busy on average.",
                    fth_phrase_several(count, "job", "jobs").text, count == 1 ? "uses" : "use",
                    worst->number, worst->name, fth_phrase_count((int64_t)worst->processors).text,
                    fth_phrase_duration(worst->end - worst->start).text,
                    fth_phrase_ratio(worst_busy).text);
    fth_finding_advise(finding, "Ask for as many processors as the steps keep busy, or run steps "
                                "that need nothing of each other at the same time.");
}

/* A limit that is much longer than the job, or memory that it never had: jobs that ask for less are
 * started earlier. */
static void find_excess(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    const struct fth_workflow_job *memory = NULL, *limit = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < workflow->job_count; i++) {
        const struct fth_workflow_job *job = &workflow->jobs[i];
        int64_t lasted =
            job->start == FTH_NEVER || job->end == FTH_NEVER ? 0 : job->end - job->start;
        bool much = job->used_memory && job->memory >= job->used_memory + least_memory &&
                    job->memory / job->used_memory >= TIMES_ASKED,
             late = lasted > 0 && job->limit - lasted >= least_limit &&
                    job->limit / lasted >= TIMES_ASKED;
        if (!facts->graph.job_meant[i] || !(much || late))
            continue;
        count++;
        memory = much && (!memory ||
                          job->memory - job->used_memory > memory->memory - memory->used_memory)
                     ? job
                     : memory;
        limit = late && (!limit || job->limit > limit->limit) ? job : limit;
    }
    if (!count)
        return;
    struct fth_finding *finding = fth_finding_add(&results->findings, "asked_for_more",
                                                  "Jobs ask for much more than they use");
    finding->behind = true;
    char *of_memory =
             memory ? fth_text_format("; job %s (%s) asked for %s of memory and had at most %s",
                                      memory->number, memory->name,
                                      fth_phrase_bytes(memory->memory).text,
                                      fth_phrase_bytes(memory->used_memory).text)
                    : fth_text_copy(""),
         *of_time = limit
                        ? fth_text_format("; job %s (%s) asked for %s and lasted %s", limit->number,
                                          limit->name, fth_phrase_duration(limit->limit).text,
                                          fth_phrase_duration(limit->end - limit->start).text)
                        : fth_text_copy("");
    fth_finding_say(finding, "%s asked for at least %u times the memory or time that %s%s%s.",
                    fth_phrase_several(count, "job", "jobs").text, (unsigned)TIMES_ASKED,
                    count == 1 ? "it used" : "they used", of_memory, of_time);
    fth_finding_advise(finding, "Batch systems start jobs earlier that ask for less.");
    free(of_memory);
    free(of_time);
}

static bool ended_well(const char *state)
{
    static const char *const good[] = {"", "COMPLETED", "F", "C", "DONE", "PENDING", "RUNNING"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!strcmp(state, good[i]))
            return true;
    return false;
}

static void find_ends(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    const struct fth_workflow *workflow = facts->workflow;
    const struct fth_workflow_job *first = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < workflow->job_count; i++)
        if (facts->graph.job_meant[i] && !ended_well(workflow->jobs[i].state)) {
            first = first ? first : &workflow->jobs[i];
            count++;
        }
    if (!first)
        return;
    struct fth_finding *finding =
        fth_finding_add(&results->findings, "failed_jobs", "Jobs did not end well");
    finding->behind = true;
    fth_finding_say(finding, "%s did not complete, the first one is %s (%s): %s.",
                    fth_phrase_several(count, "job", "jobs").text, first->number, first->name,
                    first->state);
    fth_finding_advise(finding, "Look at the output of this job. A job that was stopped at its "
                                "limit leaves files that are not whole.");
}

void fth_workflow_job_findings(const struct fth_workflow_facts *facts, struct fth_results *results)
{
    if (!facts->workflow->job_count)
        return;
    find_queue(facts, results);
    find_unused(facts, results);
    find_excess(facts, results);
    find_ends(facts, results);
}

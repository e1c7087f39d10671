/* Jobs, the threads that do them, and the answers that are kept. */
#include "cmd/view/jobs.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CREW = 3, KEPT = 32 };

struct kept {
    unsigned picture;
    uint64_t used; /* when it was asked for last */
    char *key;
    struct fth_sink answer;
};

struct fth_jobs {
    void (*done)(struct fth_job *job);
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct fth_job *waiting;         /* the last one that came is the first one */
    struct fth_job *under_way[CREW]; /* by thread */
    unsigned crew;
    uint64_t now;
    struct kept kept[KEPT];
};

void fth_job_free(struct fth_job *job)
{
    if (!job)
        return;
    fth_picture_let_go(job->picture);
    fth_sink_close_memory(&job->answer);
    free((void *)job->window.rows);
    free(job->key);
    free(job->page);
    free(job->id);
    free(job->where);
    fth_picture_let_go(job->made);
    free(job);
}

/* ---- answers that are kept ---- */

static struct kept *find_kept(struct fth_jobs *jobs, const struct fth_job *job)
{
    for (struct kept *kept = jobs->kept; kept < jobs->kept + KEPT; kept++)
        if (kept->key && kept->picture == job->picture->number && !strcmp(kept->key, job->key))
            return kept;
    return NULL;
}

/* Instead of the one that nobody has asked for for longest. */
static void keep(struct fth_jobs *jobs, const struct fth_job *job)
{
    struct kept *oldest = jobs->kept;
    for (struct kept *kept = jobs->kept; kept < jobs->kept + KEPT; kept++)
        if (kept->used < oldest->used)
            oldest = kept;
    free(oldest->key);
    fth_sink_close_memory(&oldest->answer);
    *oldest = (struct kept){job->picture->number, ++jobs->now, fth_text_copy(job->key), {0}};
    fth_sink_open_memory(&oldest->answer);
    fth_sink_bytes(&oldest->answer, job->answer.bytes, job->answer.used);
    if (oldest->answer.failed) {
        free(oldest->key);
        oldest->key = NULL;
    }
}

/* ---- the crew ---- */

static bool is_over(void *context)
{
    return ((struct fth_job *)context)->outdated;
}

static int answer(struct fth_job *job, struct fth_error **error)
{
    switch (job->what) {
    case FTH_ASKED_FILTER:
        job->made = fth_picture_filter(job->picture, job->where, error);
        return job->made ? 1 : -1;
    case FTH_ASKED_VERIFY:
        return fth_picture_verify(job->picture, &job->progress, &job->answer, error);
    case FTH_ASKED_CALL:
        return fth_picture_call(job->picture, job->id, job->start, is_over, job, &job->answer,
                                error);
    default:
        return fth_picture_window(job->picture, &job->window, is_over, job, &job->answer, error);
    }
}

static void do_job(struct fth_job *job)
{
    struct fth_error *error = NULL;
    int result = job->outdated ? 0 : answer(job, &error);
    job->end = result > 0                     ? FTH_JOB_DONE
               : result < 0 && !job->outdated ? FTH_JOB_FAILED
                                              : FTH_JOB_OUTDATED;
    if (error)
        fth_sink_text(&job->answer, fth_error_text(error));
    fth_error_free(error);
}

/* A verdict and a filter read the whole trace. One of each kind at a time leaves a thread for
 * windows and calls, whatever clients ask for, and whether they still wait or not. */
static bool may_begin(const struct fth_jobs *jobs, const struct fth_job *job)
{
    bool is_long = job->what == FTH_ASKED_VERIFY || job->what == FTH_ASKED_FILTER, may = true;
    for (unsigned i = 0; i < CREW && is_long; i++)
        may = may && (!jobs->under_way[i] || jobs->under_way[i]->what != job->what);
    return may;
}

static struct fth_job *take_next(struct fth_jobs *jobs)
{
    struct fth_job **at = &jobs->waiting, *job;
    while (*at && !may_begin(jobs, *at))
        at = &(*at)->next;
    job = *at;
    if (job)
        *at = job->next;
    return job;
}

/* While the job waited another client may have got the same answer. */
static bool answer_from_kept(struct fth_jobs *jobs, struct fth_job *job)
{
    struct kept *kept = find_kept(jobs, job);
    if (!kept)
        return false;
    kept->used = ++jobs->now;
    fth_sink_bytes(&job->answer, kept->answer.bytes, kept->answer.used);
    job->end = FTH_JOB_DONE;
    return true;
}

static void *work(void *context)
{
    struct fth_jobs *jobs = context;
    pthread_mutex_lock(&jobs->lock);
    unsigned me = jobs->crew++;
    for (;;) {
        struct fth_job *job;
        while (!(job = take_next(jobs)))
            pthread_cond_wait(&jobs->more, &jobs->lock);
        if (!answer_from_kept(jobs, job)) {
            jobs->under_way[me] = job;
            pthread_mutex_unlock(&jobs->lock);
            do_job(job);
            pthread_mutex_lock(&jobs->lock);
            jobs->under_way[me] = NULL;
            if (job->end == FTH_JOB_DONE && !job->made)
                keep(jobs, job);
        }
        pthread_mutex_unlock(&jobs->lock);
        jobs->done(job);
        pthread_mutex_lock(&jobs->lock);
    }
    return NULL;
}

struct fth_jobs *fth_jobs_new(void (*done)(struct fth_job *job))
{
    struct fth_jobs *jobs = fth_new(1, sizeof *jobs);
    jobs->done = done;
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->more, NULL);
    for (unsigned i = 0; i < CREW; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, jobs))
            fth_out_of_memory();
        pthread_detach(thread);
    }
    return jobs;
}

static void outdate(struct fth_job *one, struct fth_job *job)
{
    if (one && one->page && !strcmp(one->page, job->page))
        (one->turn < job->turn ? one : job)->outdated = true;
}

bool fth_jobs_add(struct fth_jobs *jobs, struct fth_job *job)
{
    pthread_mutex_lock(&jobs->lock);
    for (struct fth_job *old = jobs->waiting; old && job->page; old = old->next)
        outdate(old, job);
    for (unsigned i = 0; i < CREW && job->page; i++)
        outdate(jobs->under_way[i], job);
    bool is_answered = answer_from_kept(jobs, job);
    if (!is_answered) {
        job->next = jobs->waiting;
        jobs->waiting = job;
        pthread_cond_signal(&jobs->more);
    }
    pthread_mutex_unlock(&jobs->lock);
    return is_answered;
}

bool fth_jobs_verifies(struct fth_jobs *jobs, struct fth_jobs_verifying *found)
{
    const struct fth_job *job = NULL;
    pthread_mutex_lock(&jobs->lock);
    for (unsigned i = 0; i < CREW; i++)
        if (jobs->under_way[i] && jobs->under_way[i]->what == FTH_ASKED_VERIFY)
            job = jobs->under_way[i];
    if (job)
        *found = (struct fth_jobs_verifying){job->picture->number, job->progress.read,
                                             job->progress.total};
    pthread_mutex_unlock(&jobs->lock);
    return job;
}

static void stop_verdict(struct fth_job *job, unsigned picture)
{
    if (job && job->what == FTH_ASKED_VERIFY && job->picture->number == picture)
        job->outdated = job->progress.given_up = true;
}

void fth_jobs_stop_verdict(struct fth_jobs *jobs, unsigned picture)
{
    pthread_mutex_lock(&jobs->lock);
    for (struct fth_job *job = jobs->waiting; job; job = job->next)
        stop_verdict(job, picture);
    for (unsigned i = 0; i < CREW; i++)
        stop_verdict(jobs->under_way[i], picture);
    pthread_mutex_unlock(&jobs->lock);
}

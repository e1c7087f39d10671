/* How much shorter the run could be without what a finding is about, along the critical path: the
 * calls on its files, of its functions, of its kinds of work take as much less time as the finding
 * says. */
#include "path/run_flow.h"
#include "base/saturating.h"

#include <math.h>
#include <string.h>

struct scope {
    const struct fth_path *path;
    const struct fth_finding *finding;
    struct fth_intern files;
};

static bool is_named(const struct fth_finding *finding, const struct fth_function *function)
{
    for (size_t i = 0; function && i < finding->functions.count; i++)
        if (strcmp(finding->functions.items[i], function->name) == 0)
            return true;
    return false;
}

static bool is_about(void *context, const struct fth_path_work *work)
{
    const struct scope *scope = context;
    const struct fth_finding *finding = scope->finding;
    uint32_t number;
    if (finding->functions.total && !is_named(finding, work->function) &&
        !is_named(finding, work->asked))
        return false;
    if (finding->classes &&
        (!work->asked ||
         !(finding->classes >> fth_call_class_of(scope->path->classes, work->asked)->kind & 1)))
        return false;
    if (finding->files.total && !finding->any_file)
        return work->file &&
               fth_intern_find(&scope->files, work->file, strlen(work->file), &number);
    return finding->functions.total || work->asked;
}

/* Is all known that has to be, to distinguish calls that the finding is about from others? */
static bool has_scope(const struct fth_finding *finding)
{
    if (finding->of_processors || finding->functions.total > finding->functions.count)
        return false;
    if (finding->any_file)
        return true;
    return finding->files.total ? finding->files.total == finding->files.count
                                : finding->functions.total > 0;
}

/* ns, over all selected processes, of the calls that the finding is about. */
static int64_t time_of(struct scope *scope)
{
    const struct fth_path *path = scope->path;
    int64_t time = 0;
    for (uint32_t i = 0; i < path->work.count; i++) {
        struct fth_path_work work = fth_path_work_at(path, i);
        FTH_ADD_SATURATING(time, is_about(scope, &work) ? path->results.work_time[i] : 0);
    }
    return time;
}

/* Kinds of waits, as bits, that the calls of a finding are there for: without these calls nobody
 * waits. */
static unsigned waits_of(const struct fth_finding *finding)
{
    return strcmp(finding->kind, "lock_contention") == 0 ? 1u << FTH_WAIT_LOCK : 0;
}

/* Which of the calls the time of the severity is in is not known: each gets as much shorter as all
 * of them together. */
static int64_t bound(const struct fth_path *path, const struct fth_finding *finding)
{
    struct scope scope = {.path = path, .finding = finding};
    for (size_t i = 0; i < finding->files.count; i++)
        fth_intern(&scope.files, finding->files.items[i], strlen(finding->files.items[i]));
    int64_t time = time_of(&scope), left = time - finding->severity;
    struct fth_path_change change = {
        .gone = is_about, .context = &scope, .waits = waits_of(finding), .waits_unseen = true};
    change.kept = left > 0 ? (double)left / (double)time : 0;
    int64_t length = fth_path_without(path, &change);
    fth_intern_free(&scope.files);
    return length < path->sums.length ? path->sums.length - length : 0;
}

void fth_path_bound(const struct fth_path *path, struct fth_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct fth_finding *finding = &findings->list[i];
        if (!finding->effective && finding->severity > 0 && has_scope(finding))
            finding->gain = bound(path, finding);
    }
}

void fth_path_weigh(const struct fth_path *path, struct fth_findings *findings)
{
    double whole = (double)path->sums.program;
    for (size_t i = 0; i < findings->count; i++) {
        struct fth_finding *finding = &findings->list[i];
        /* equal work, say, may also save what the finding does not tell of */
        if (!finding->effective && finding->severity > 0 && finding->gain > finding->severity)
            finding->gain = finding->severity;
        if (finding->gain >= 0 && whole > 0)
            finding->gain_share = fmin(100, 100 * (double)finding->gain / whole);
        finding->gain_of = path->sums.program;
        finding->gain_of_part = path->sums.program < path->sums.length;
    }
}

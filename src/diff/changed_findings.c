/* Findings of the report that came, and that went. A finding stands out, or does not, by its share
 * of the time: one that is about time only counts if its time differs by more than noise, or if the
 * calls that it is about do. */
#include "diff/diff.h"

#include "base/memory.h"

#include <string.h>

static const struct fth_finding *find(const struct fth_diff_run *run, const char *kind)
{
    for (size_t i = 0; i < run->results.findings.count; i++)
        if (!strcmp(run->results.findings.list[i].kind, kind))
            return &run->results.findings.list[i];
    return NULL;
}

/* Would `fathom report` show it by itself? */
static bool stands_out(const struct fth_finding *finding)
{
    return finding && !finding->minor && !finding->part_of && !finding->effective;
}

/* Do all runs of this side have it, as one that stands out, and none of the other side at all? */
static bool is_of_side(const struct fth_diff *diff, const char *kind, int side)
{
    for (size_t i = 0; i < fth_diff_run_count(diff); i++) {
        bool mine = (i >= diff->counts[0]) == (side == 1);
        const struct fth_finding *finding = find(&diff->runs[i], kind);
        if (mine ? !stands_out(finding) : finding != NULL)
            return false;
    }
    return true;
}

static bool is_listed(const char *name, const struct fth_finding_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(name, names->items[i]))
            return true;
    return false;
}

/* Does what it did differ, and not only how long it took? */
static bool did_other_things(const struct fth_diff_row *row)
{
    for (enum fth_diff_quantity i = 0; i < FTH_DIFF_TIME; i++)
        if (row->values[i].verdict == FTH_DIFF_DIFFERS)
            return true;
    return row->differs && row->presence != FTH_DIFF_IN_BOTH;
}

static bool is_changed(const struct fth_diff *diff, const struct fth_function *function)
{
    const struct fth_diff_part *part = &diff->parts[FTH_DIFF_FUNCTIONS];
    for (size_t i = 0; i < part->count && part->rows[i].differs; i++)
        if (!strcmp(part->rows[i].name, function->name) &&
            !strcmp(part->rows[i].layer, function->layer))
            return did_other_things(&part->rows[i]);
    return false;
}

/* Do the calls on a file differ? What has another name here, as it is new in each run, may. */
static bool is_file_changed(const struct fth_diff *diff, const char *path)
{
    const struct fth_diff_part *part = &diff->parts[FTH_DIFF_FILES];
    for (size_t i = 0; i < part->count; i++)
        if (!strcmp(part->rows[i].name, path) ||
            (part->rows[i].was && !strcmp(part->rows[i].was, path)))
            return did_other_things(&part->rows[i]);
    return true;
}

/* One of the files that it is about, of which only some may be listed. */
static bool is_on_changed(const struct fth_diff *diff, const struct fth_finding *finding)
{
    const struct fth_finding_list *files = &finding->files;
    bool changed = !files->count || files->count < files->total;
    for (size_t i = 0; i < files->count && !changed; i++)
        changed = is_file_changed(diff, files->items[i]);
    return changed;
}

/* Do the functions differ that it is about, and the calls on its files? */
static bool is_about_changed(const struct fth_diff *diff, const struct fth_diff_run *run,
                             const struct fth_finding *finding)
{
    bool changed = false;
    if ((!finding->functions.count && !finding->classes) || !is_on_changed(diff, finding))
        return false;
    struct fth_call_classes *classes = fth_call_classes_new(run->trace);
    for (size_t i = 0; i < fth_trace_function_count(run->trace) && !changed; i++) {
        const struct fth_function *function = fth_trace_function(run->trace, i);
        const struct fth_call_class *class = fth_call_class_of(classes, function);
        bool about =
            (!finding->functions.count || is_listed(function->name, &finding->functions)) &&
            (!finding->classes || finding->classes & FTH_CALLS_BIT(class->kind));
        changed = about && is_changed(diff, function);
    }
    fth_call_classes_free(classes);
    return changed;
}

static bool is_more_than_noise(const struct fth_diff *diff, const struct fth_diff_run *run,
                               const struct fth_finding *finding)
{
    struct fth_diff_value value;
    size_t count = fth_diff_run_count(diff);
    int64_t *times, whole = 0;
    if (finding->wrong || !finding->severity || is_about_changed(diff, run, finding))
        return true;
    times = fth_new(count, sizeof *times);
    for (size_t i = 0; i < count; i++) {
        const struct fth_finding *there = find(&diff->runs[i], finding->kind);
        times[i] = there ? there->severity : 0;
        whole = diff->runs[i].whole > whole ? diff->runs[i].whole : whole;
    }
    fth_diff_judge_timed(diff, times, fth_diff_least_time(diff, whole), &value);
    free(times);
    return value.verdict == FTH_DIFF_DIFFERS;
}

void fth_diff_find_findings(struct fth_diff *diff)
{
    for (int side = 1; side >= 0; side--) {
        const struct fth_diff_run *run = &diff->runs[side ? diff->counts[0] : 0];
        for (size_t i = 0; i < run->results.findings.count; i++) {
            const struct fth_finding *finding = &run->results.findings.list[i];
            if (!is_of_side(diff, finding->kind, side) || !is_more_than_noise(diff, run, finding))
                continue;
            FTH_GROW(diff->findings, diff->finding_count);
            diff->findings[diff->finding_count++] =
                (struct fth_diff_finding){finding, run, side == 1};
        }
    }
}

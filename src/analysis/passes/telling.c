/* Words of findings that passes have in common. */
#include "analysis/passes/telling.h"

#include <inttypes.h>
#include <stdio.h>

bool fth_is_worth(const struct fth_survey *survey, int64_t severity)
{
    return severity > 0 && (double)severity >= fth_threshold_of(survey, FTH_THRESHOLD_WORTH) *
                                                   (double)survey->whole;
}

double fth_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

struct fth_cell fth_percent(uint64_t part, uint64_t whole)
{
    return (struct fth_cell){.type = FTH_CELL_REAL, .real = 100 * fth_share(part, whole)};
}

void fth_example_see(struct fth_example *example, const struct fth_frame *frame)
{
    struct fth_example other = {true, frame->proc, frame->thread, frame->number,
                                frame->end - frame->start};
    fth_example_merge(example, &other);
}

void fth_example_merge(struct fth_example *example, const struct fth_example *other)
{
    if (other->known && (!example->known || other->time > example->time))
        *example = *other;
}

void fth_tell_rank(struct fth_finding *finding, const struct fth_survey *survey, size_t proc)
{
    const struct fth_process *process = fth_trace_process(survey->trace, proc);
    char name[32];
    if (process->rank != FTH_NO_RANK)
        snprintf(name, sizeof name, "%" PRId64, process->rank);
    else
        snprintf(name, sizeof name, "proc %zu", proc);
    fth_finding_list_add(&finding->ranks, name);
}

void fth_tell_file(struct fth_finding *finding, const struct fth_survey *survey, uint32_t file)
{
    if (file != FTH_NO_FILE)
        fth_finding_list_add(&finding->files, survey->files[file].path);
}

void fth_tell_example(struct fth_finding *finding, const struct fth_survey *survey,
                      const struct fth_example *example)
{
    if (!example->known)
        return;
    fth_tell_rank(finding, survey, example->proc);
    fth_finding_call(finding, example->proc, example->thread, example->number);
}

struct fth_finding *fth_tell(const struct fth_survey *survey, struct fth_results *results,
                             uint32_t file, const struct fth_example *example, const char *kind,
                             const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_add(&results->findings, kind, title);
    finding->severity = severity;
    fth_tell_file(finding, survey, file);
    fth_tell_example(finding, survey, example);
    return finding;
}

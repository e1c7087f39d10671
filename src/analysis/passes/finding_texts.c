/* Words of findings that passes have in common. */
#include "analysis/passes/finding_texts.h"

#include "analysis/survey/findings.h"

#include <stdio.h>

bool fth_finding_is_worth(const struct fth_survey *survey, int64_t severity)
{
    return severity > 0 && (double)severity >= fth_threshold_of(survey, FTH_THRESHOLD_WORTH) *
                                                   (double)survey->working;
}

struct fth_each_phrase fth_each_phrase(int64_t time, uint64_t calls, int64_t longest)
{
    struct fth_each_phrase phrase;
    int64_t mean = calls ? time / (int64_t)calls : 0;
    if (calls <= 1)
        snprintf(phrase.text, sizeof phrase.text, "%s", FTH_TIME(mean));
    else
        snprintf(phrase.text, sizeof phrase.text, "%.32s on average and %.32s at most",
                 FTH_TIME(mean), FTH_TIME(longest));
    return phrase;
}

double fth_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

struct fth_cell fth_finding_percent(uint64_t part, uint64_t whole)
{
    return (struct fth_cell){.type = FTH_CELL_REAL, .real = 100 * fth_share(part, whole)};
}

/* Of calls of one thread that took equally long the first one is kept: those that are alike come
 * later than they were. */
static bool is_better(size_t proc, uint32_t thread, uint64_t number, int64_t time,
                      const struct fth_example *than)
{
    if (!than->asked || time != than->time)
        return !than->asked || time > than->time;
    return proc == than->proc && thread == than->thread && number < than->number;
}

void fth_example_see(struct fth_example *example, const struct fth_frame *frame)
{
    int64_t time = frame->times.end - frame->times.start;
    if (is_better(frame->proc, frame->thread, frame->number, time, example))
        *example = (struct fth_example){fth_frame_asked(frame)->function, frame->number, time,
                                        (uint32_t)frame->proc, frame->thread};
}

bool fth_example_merge(struct fth_example *example, const struct fth_example *other)
{
    bool better =
        other->asked && is_better(other->proc, other->thread, other->number, other->time, example);
    if (better)
        *example = *other;
    return better;
}

void fth_finding_write_file(struct fth_finding *finding, const struct fth_survey *survey,
                            uint32_t file)
{
    if (file != FTH_NO_FILE)
        fth_finding_list_add(&finding->files, survey->files[file].path);
}

void fth_finding_write_example(struct fth_finding *finding, const struct fth_survey *survey,
                               const struct fth_example *example)
{
    if (!example->asked)
        return;
    fth_finding_rank(finding, survey->trace, example->proc);
    fth_finding_call(finding, example->proc, example->thread, example->number);
}

struct fth_finding *fth_finding_write(const struct fth_survey *survey, struct fth_results *results,
                                      uint32_t file, const struct fth_example *example,
                                      const char *kind, const char *title, int64_t severity)
{
    struct fth_finding *finding = fth_finding_add(&results->findings, kind, title);
    finding->severity = severity;
    fth_finding_write_file(finding, survey, file);
    fth_finding_write_example(finding, survey, example);
    return finding;
}

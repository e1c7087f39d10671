/* Gives frames to the passes of a survey: those of data calls one by one or several at once, the
 * others also added up by their sites. */
#include "analysis/survey/visit.h"

#include "base/memory.h"

bool fth_visit_is_for_each(const struct fth_frame *frame)
{
    return !frame->failed && (frame->class->kind == FTH_CALLS_SYNC ||
                              (frame->class->data && frame->file.number != FTH_NO_FILE));
}

/* What a call that moves bytes between two files does to the second one. */
static struct fth_frame other_end(const struct fth_frame *frame)
{
    struct fth_frame end = *frame;
    bool placed = frame->file.other_first >= 0;
    end.file.number = frame->file.other;
    end.file.other = FTH_NO_FILE;
    end.file.behind_links = frame->file.other_behind;
    end.file.other_behind = FTH_NO_FILE;
    end.file.handle = FTH_NO_CALL;
    end.reads = frame->writes;
    end.writes = frame->reads;
    end.data.ranges = placed;
    end.data.unplaced = !placed && frame->data.bytes;
    end.data.appends = false;
    end.file.to_others = false;
    end.data.first = placed ? (uint64_t)frame->file.other_first : 0;
    end.data.behind = placed ? end.data.first + frame->data.bytes : 0;
    end.data.length = placed ? frame->data.bytes : 0;
    end.data.stride = end.file.block = end.file.servers = 0;
    end.times.all = end.times.own = end.times.first = 0;
    end.data.best = (struct fth_speed){0};
    return end;
}

void fth_visit_give_each(const struct fth_visit *visit, const struct fth_frame *frame)
{
    if (frame->class->data && frame->file.other != FTH_NO_FILE) {
        const struct fth_frame end = other_end(frame);
        fth_visit_give_each(visit, &end);
    }
    if (!fth_visit_is_for_each(frame))
        return;
    for (size_t i = 0; i < visit->pass_count; i++)
        if (visit->passes[i]->each)
            visit->passes[i]->each(visit->states[i], frame);
}

void fth_visit_give_call(const struct fth_visit *visit, const struct fth_frame *frame)
{
    for (size_t i = 0; i < visit->pass_count; i++)
        if (visit->passes[i]->call)
            visit->passes[i]->call(visit->states[i], frame);
}

void fth_visit_give_sum(const struct fth_visit *visit, struct fth_survey_site *site)
{
    if (site->sum.calls)
        fth_visit_give_call(visit, &site->sum);
    site->sum.calls = 0;
}

void fth_visit_give_sums(struct fth_visit *visit)
{
    struct fth_survey_sites *sites = &visit->sites;
    for (uint32_t i = 0; i < sites->summed_count; i++)
        fth_visit_give_sum(visit, sites->items[sites->summed[i]]);
    sites->summed_count = 0;
}

void fth_visit_add_to_sum(struct fth_visit *visit, uint32_t number, const struct fth_frame *frame)
{
    struct fth_survey_sites *sites = &visit->sites;
    if (!sites->items[number]->sum.calls) {
        sites->summed = fth_reach(sites->summed, &sites->summed_limit, sites->summed_count,
                                  sizeof *sites->summed);
        sites->summed[sites->summed_count++] = number;
    }
    if (!fth_survey_site_add(sites->items[number], frame))
        fth_visit_give_call(visit, frame);
}

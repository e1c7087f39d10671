/* Sums of calls that differ in nothing but times, numbers of bytes and places. */
#include "analysis/survey/sites.h"
#include "base/saturating.h"

#include "base/memory.h"

struct fth_survey_site *fth_survey_site(struct fth_survey_sites *sites, uint32_t number)
{
    sites->items = fth_reach(sites->items, &sites->limit, number, sizeof *sites->items);
    if (!sites->items[number])
        sites->items[number] = fth_new(1, sizeof **sites->items);
    return sites->items[number];
}

void fth_survey_sites_free(struct fth_survey_sites *sites)
{
    for (uint32_t i = 0; i < sites->limit; i++)
        free(sites->items[i]);
    free(sites->items);
    free(sites->summed);
}

void fth_frame_close(struct fth_frame *frame)
{
    const struct fth_moved *below = &frame->below[frame->writes];
    int64_t own = frame->end - frame->start - frame->inside;
    frame->calls = 1;
    frame->step = 0;
    frame->began = frame->last = frame->start;
    frame->time = frame->end - frame->start;
    frame->own = own > 0 ? own : 0;
    frame->alike = below->calls == 1 && below->bytes == frame->bytes;
    frame->best = (struct fth_speed){0};
    fth_speed_add(&frame->best, frame->bytes, frame->time);
}

void fth_frame_repeat(struct fth_frame *frame, const struct fth_again_time *times, uint32_t count,
                      int64_t step)
{
    uint64_t number = frame->number;
    for (uint32_t i = 0; i < count; i++) {
        int64_t time = times[i].end - times[i].start;
        FTH_ADD_SATURATING(frame->time, time);
        FTH_ADD_SATURATING(frame->own, time);
        fth_speed_add(&frame->best, frame->bytes, time);
        if (time > frame->end - frame->start) {
            frame->number = number + 1 + i;
            frame->start = times[i].start;
            frame->end = times[i].end;
        }
    }
    frame->calls += count;
    frame->step = step;
    frame->last = times[count - 1].start;
}

void fth_frame_add_up(struct fth_frame *frame)
{
    frame->bytes *= frame->calls;
    frame->mapped *= frame->calls;
    frame->ranges *= frame->calls;
    frame->alike *= frame->calls;
}

static void add_moved(struct fth_moved *sum, const struct fth_moved *more)
{
    sum->calls += more->calls;
    sum->bytes += more->bytes;
    FTH_ADD_SATURATING(sum->time, more->time);
}

bool fth_survey_site_add(struct fth_survey_site *site, const struct fth_frame *frame)
{
    struct fth_frame *sum = &site->sum;
    if (!sum->calls) {
        *sum = *frame;
        return true;
    }
    if (!sum->bytes != !frame->bytes || !sum->ranges != !frame->ranges ||
        sum->through_view != frame->through_view || sum->error_number != frame->error_number)
        return false;
    if (frame->end - frame->start > sum->end - sum->start) {
        sum->number = frame->number;
        sum->start = frame->start;
        sum->end = frame->end;
    }
    sum->calls += frame->calls;
    FTH_ADD_SATURATING(sum->time, frame->time);
    FTH_ADD_SATURATING(sum->own, frame->own);
    FTH_ADD_SATURATING(sum->inside, frame->inside);
    FTH_ADD_SATURATING(sum->messages, frame->messages);
    sum->bytes += frame->bytes;
    sum->mapped += frame->mapped;
    sum->ranges += frame->ranges;
    sum->alike += frame->alike;
    for (int writes = 0; writes < 2; writes++)
        if (frame->below[writes].calls)
            add_moved(&sum->below[writes], &frame->below[writes]);
    if (frame->best.bytes)
        fth_speed_add(&sum->best, frame->best.bytes, frame->best.time);
    return true;
}

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
    const struct fth_moved *below = &frame->data.below[frame->writes];
    int64_t own = frame->times.end - frame->times.start - frame->times.inside;
    frame->calls = 1;
    frame->data.step = 0;
    frame->times.began = frame->times.last = frame->times.start;
    frame->times.all = frame->times.first = frame->times.end - frame->times.start;
    frame->times.behind = NULL;
    frame->first_number = frame->last_number = frame->number;
    frame->times.own = own > 0 ? own : 0;
    frame->data.alike = below->calls == 1 && below->bytes == frame->data.bytes;
    frame->data.best = (struct fth_speed){0};
    fth_speed_add(&frame->data.best, frame->data.bytes, frame->times.all);
}

void fth_frame_repeat(struct fth_frame *frame, const struct fth_again_time *times, uint32_t count,
                      uint32_t apart, int64_t step)
{
    uint64_t number = frame->number;
    if (!count)
        return;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = k * apart;
        int64_t time = times[i].end - times[i].start;
        FTH_ADD_SATURATING(frame->times.all, time);
        FTH_ADD_SATURATING(frame->times.own, time);
        fth_speed_add(&frame->data.best, frame->data.bytes, time);
        if (time > frame->times.end - frame->times.start) {
            frame->number = number + i + apart;
            frame->times.start = times[i].start;
            frame->times.end = times[i].end;
        }
    }
    frame->calls += count;
    frame->last_number = number + (uint64_t)count * apart;
    frame->times.behind = times;
    frame->times.apart = apart;
    frame->data.step = step;
    frame->times.last = times[(count - 1) * apart].start;
}

struct fth_frame fth_frame_of_turn(const struct fth_frame_in_turn *frame, uint32_t apart,
                                   uint64_t i)
{
    struct fth_frame one = *frame->first;
    one.data.first += i * (uint64_t)frame->all->data.step;
    one.data.behind += i * (uint64_t)frame->all->data.step;
    one.number += i * apart;
    one.times.start = frame->times[i * apart].start;
    one.times.end = frame->times[i * apart].end;
    fth_frame_close(&one);
    return one;
}

struct fth_frame fth_frame_of_round(const struct fth_frame *all, uint64_t i)
{
    struct fth_frame one = *all;
    one.number = all->first_number + i * all->times.apart;
    one.times.start = all->times.began;
    one.times.end = all->times.began + all->times.first;
    if (i) {
        one.times.start = all->times.behind[(i - 1) * all->times.apart].start;
        one.times.end = all->times.behind[(i - 1) * all->times.apart].end;
    }
    fth_frame_close(&one);
    return one;
}

bool fth_pass_takes_rounds(const void *process, const struct fth_frame *frames, uint32_t count)
{
    (void)process;
    (void)frames;
    (void)count;
    return true;
}

void fth_frame_add_up(struct fth_frame *frame)
{
    frame->data.bytes *= frame->calls;
    frame->data.mapped *= frame->calls;
    frame->data.ranges *= frame->calls;
    frame->data.alike *= frame->calls;
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
    if (sum->class != frame->class || !sum->data.bytes != !frame->data.bytes ||
        !sum->data.ranges != !frame->data.ranges || sum->data.unplaced != frame->data.unplaced ||
        sum->data.appends != frame->data.appends ||
        sum->data.through_view != frame->data.through_view ||
        sum->error_number != frame->error_number)
        return false;
    if (frame->times.end - frame->times.start > sum->times.end - sum->times.start) {
        sum->number = frame->number;
        sum->times.start = frame->times.start;
        sum->times.end = frame->times.end;
    }
    sum->calls += frame->calls;
    sum->last_number = frame->last_number;
    sum->times.last = frame->times.last;
    FTH_ADD_SATURATING(sum->times.all, frame->times.all);
    FTH_ADD_SATURATING(sum->times.own, frame->times.own);
    FTH_ADD_SATURATING(sum->times.inside, frame->times.inside);
    FTH_ADD_SATURATING(sum->times.messages, frame->times.messages);
    sum->data.bytes += frame->data.bytes;
    sum->data.mapped += frame->data.mapped;
    sum->data.ranges += frame->data.ranges;
    sum->data.alike += frame->data.alike;
    for (int writes = 0; writes < 2; writes++)
        if (frame->data.below[writes].calls)
            add_moved(&sum->data.below[writes], &frame->data.below[writes]);
    if (frame->data.best.bytes)
        fth_speed_add(&sum->data.best, frame->data.best.bytes, frame->data.best.time);
    return true;
}

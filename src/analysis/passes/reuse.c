/* Accesses of a process are gathered to ranges, and these to series, and each series is then looked
 * up among the bytes that were accessed before. */
#include "analysis/passes/reuse.h"
#include "base/saturating.h"

/* ---- a process ---- */

enum {
    READ = 1,    /* ever */
    WRITTEN = 2, /* ever */
    KNOWN = 4,   /* read since it was last written */
    GONE = 8,    /* the file was emptied since */
    LOST = 16    /* before it was read */
};

static uint64_t read_bytes(void *context, uint64_t before, uint64_t bytes)
{
    struct fth_reuse_counts *counts = context;
    if (before & GONE)
        return (before | READ | KNOWN) & ~(uint64_t)GONE;
    if (before & KNOWN)
        counts->read_again += bytes;
    else if (before & WRITTEN)
        counts->read_back += bytes;
    return before | READ | KNOWN;
}

static uint64_t write_bytes(void *context, uint64_t before, uint64_t bytes)
{
    struct fth_reuse_counts *counts = context;
    if (before & WRITTEN)
        counts->written_again += bytes;
    return (before | WRITTEN) & ~(uint64_t)(KNOWN | GONE | LOST);
}

static uint64_t lose_bytes(void *context, uint64_t before, uint64_t bytes)
{
    (void)context;
    (void)bytes;
    if (!before)
        return 0;
    return before | GONE | ((before & WRITTEN) && !(before & KNOWN) ? LOST : 0);
}

/* The calls of a series took as long as one another, as far as is known. */
static int64_t part_of(int64_t time, uint64_t bytes, const struct fth_strided *series)
{
    double all = (double)series->length * (double)series->count;
    return all > 0 ? (int64_t)((double)time * ((double)bytes / all)) : 0;
}

static void end_series(struct fth_reuse *reuse)
{
    struct fth_reuse_counts *counts = &reuse->counts, before = *counts;
    if (reuse->series.count) {
        fth_extents_mark(&reuse->extents, &reuse->series, reuse->writes ? write_bytes : read_bytes,
                         counts);
        FTH_ADD_SATURATING(
            counts->again_time,
            part_of(reuse->series_time, counts->read_again - before.read_again, &reuse->series));
        FTH_ADD_SATURATING(
            counts->back_time,
            part_of(reuse->series_time, counts->read_back - before.read_back, &reuse->series));
    }
    reuse->series.count = 0;
    reuse->series_time = 0;
}

/* What is read for the first time takes longer than what has been in a cache since: it stands in no
 * series with what is read again. */
static bool comes_again(const struct fth_reuse *reuse, const struct fth_strided *more)
{
    const struct fth_strided *series = &reuse->series;
    return series->count && more->count == 1 && more->length == series->length &&
           more->start == series->start + series->stride * (series->count - 1);
}

/* Series of one stride, one behind the other, are one. */
static void append(struct fth_reuse *reuse, const struct fth_strided *more, int64_t time)
{
    struct fth_strided *series = &reuse->series;
    bool again = comes_again(reuse, more);
    if (series->count && more->length == series->length && again == reuse->again) {
        bool may_begin = series->count == 1 && more->start >= series->start;
        uint64_t stride = may_begin ? more->start - series->start : series->stride;
        if ((more->count == 1 || more->stride == stride) &&
            more->start == series->start + stride * series->count &&
            (may_begin || series->count > 1)) {
            series->stride = stride;
            series->count += more->count;
            FTH_ADD_SATURATING(reuse->series_time, time);
            return;
        }
    }
    end_series(reuse);
    *series = *more;
    reuse->series_time = time;
    reuse->again = again;
}

static void end_range(struct fth_reuse *reuse)
{
    if (reuse->range.count)
        append(reuse, &reuse->range, reuse->range_time);
    reuse->range.count = 0;
    reuse->range_time = 0;
}

static void give_up(struct fth_reuse *reuse)
{
    reuse->extents.vague = true;
    fth_extents_empty(&reuse->extents);
}

void fth_reuse_see_unplaced(struct fth_reuse *reuse)
{
    if (!reuse->extents.vague)
        give_up(reuse);
}

static void see_range(struct fth_reuse *reuse, uint64_t first, uint64_t length, int64_t time)
{
    struct fth_strided *range = &reuse->range;
    if (range->count && first == range->start + range->length) {
        range->length += length;
    } else {
        end_range(reuse);
        *range = (struct fth_strided){first, length, 0, 1};
    }
    FTH_ADD_SATURATING(reuse->range_time, time);
}

/* ns of call number `i` of the frame. */
static int64_t time_of(const struct fth_frame *frame, uint64_t i)
{
    if (!i)
        return frame->times.first;
    const struct fth_again_time *time = &frame->times.behind[(i - 1) * frame->times.apart];
    return time->end - time->start;
}

/* One range of each call. Those behind the first two go on as these do: where they touch, or lie
 * apart in their order, all at once. */
static void see_ranges(struct fth_reuse *reuse, const struct fth_frame *frame)
{
    uint64_t step = (uint64_t)frame->data.step, seen = 0;
    int64_t left_time = frame->times.all;
    bool at_once = frame->data.step >= (int64_t)frame->data.length;
    for (; seen < frame->calls && (seen < 2 || !at_once); seen++) {
        see_range(reuse, frame->data.first + seen * step, frame->data.length, time_of(frame, seen));
        left_time -= time_of(frame, seen);
    }
    uint64_t left = frame->calls - seen;
    if (left && step == frame->data.length) {
        reuse->range.length += left * frame->data.length;
        FTH_ADD_SATURATING(reuse->range_time, left_time);
    } else if (left) {
        struct fth_strided rest = {frame->data.first + 2 * step, frame->data.length, step,
                                   left - 1};
        int64_t last = time_of(frame, frame->calls - 1);
        end_range(reuse);
        if (rest.count)
            append(reuse, &rest, left_time - last);
        see_range(reuse, frame->data.first + (frame->calls - 1) * step, frame->data.length, last);
    }
}

static void see_time(struct fth_reuse *reuse, const struct fth_frame *frame)
{
    int64_t end = fth_saturating_sum(frame->times.last, time_of(frame, frame->calls - 1));
    int64_t began = fth_saturating_sum(frame->times.began, 1);
    reuse->first = !reuse->first || began < reuse->first ? began : reuse->first;
    reuse->last = end >= reuse->last ? fth_saturating_sum(end, 1) : reuse->last;
    if (frame->writes && !reuse->first_write)
        reuse->first_write = began;
    else if (!frame->writes)
        reuse->last_read = fth_saturating_sum(end, 1);
}

void fth_reuse_empty(struct fth_reuse *reuse, int64_t start, int64_t end)
{
    if (reuse->first > end)
        return;
    if (reuse->last > start + 1) {
        reuse->may_be_cut = true;
        return;
    }
    end_range(reuse);
    end_series(reuse);
    if (!reuse->extents.vague && reuse->behind)
        fth_extents_mark(&reuse->extents, &(struct fth_strided){0, reuse->behind, 0, 1}, lose_bytes,
                         NULL);
}

static void see_end(struct fth_reuse *reuse, const struct fth_frame *frame)
{
    int64_t step = frame->data.step > 0 ? frame->data.step : 0;
    uint64_t behind = frame->data.behind + (frame->calls - 1) * (uint64_t)step;
    reuse->behind = behind > reuse->behind ? behind : reuse->behind;
}

void fth_reuse_see(struct fth_reuse *reuse, const struct fth_frame *frame)
{
    see_time(reuse, frame);
    see_end(reuse, frame);
    if (reuse->extents.vague)
        return;
    if (frame->writes != reuse->writes) {
        end_range(reuse);
        end_series(reuse);
        reuse->writes = frame->writes;
    }
    if (!frame->data.length) {
        give_up(reuse);
        return;
    }
    if (frame->data.ranges > 1) { /* of one call: those in a row have one each */
        end_range(reuse);
        append(reuse,
               &(struct fth_strided){frame->data.first, frame->data.length, frame->data.stride,
                                     frame->data.ranges},
               frame->times.all);
        return;
    }
    see_ranges(reuse, frame);
}

/* ---- all of them ---- */

/* Beside READ and WRITTEN, of bytes over all processes. */
enum { BY_SEVERAL = 8, WRITTEN_BY_SEVERAL = 16, PASSED_ON = 32, UNREAD = 64 };

struct joining {
    struct fth_reuse_of_all *all;
    uint64_t marks; /* of the process */
};

static uint64_t join(void *context, uint64_t before, uint64_t bytes)
{
    const struct joining *joining = context;
    uint64_t marks = joining->marks, after = before | (marks & (READ | WRITTEN));
    bool unread = (before & UNREAD && !(marks & READ)) ||
                  ((marks & WRITTEN) && (!(marks & KNOWN) || marks & LOST) && !(before & READ));
    if (marks & before & READ)
        joining->all->read_by_others += bytes;
    if (before)
        after |= BY_SEVERAL;
    if (marks & before & WRITTEN)
        after |= WRITTEN_BY_SEVERAL;
    if ((marks & READ && before & WRITTEN) || (marks & WRITTEN && before & READ))
        after |= PASSED_ON;
    return unread ? after | UNREAD : after & ~(uint64_t)UNREAD;
}

static void join_series(void *context, const struct fth_strided *series, uint64_t marks)
{
    struct joining joining = {context, marks};
    fth_extents_mark(&joining.all->extents, series, join, &joining);
}

/* The two that come first; of those that come last, with the sign turned. */
static void keep_first(struct fth_reuse_moment moments[2], size_t count,
                       struct fth_reuse_moment moment)
{
    for (size_t i = 0; i < 2; i++)
        if (i >= count || moment.time < moments[i].time) {
            struct fth_reuse_moment later = moments[i];
            moments[i] = moment;
            moment = later;
        }
}

static void add_times(struct fth_reuse_of_all *all, const struct fth_reuse *reuse, int64_t error)
{
    size_t process = all->processes++;
    if (reuse->first_write)
        keep_first(
            all->first_writes, all->writers++,
            (struct fth_reuse_moment){
                error < 0 ? INT64_MIN : fth_saturating_sum(reuse->first_write, -error), process});
    if (reuse->last_read)
        keep_first(
            all->last_reads, all->readers++,
            (struct fth_reuse_moment){
                error < 0 ? INT64_MIN : -fth_saturating_sum(reuse->last_read, error), process});
}

/* Did a process read after another one had begun to write? */
static bool may_pass_on(const struct fth_reuse_of_all *all)
{
    for (size_t i = 0; i < 2 && i < all->writers; i++)
        for (size_t k = 0; k < 2 && k < all->readers; k++)
            if (all->first_writes[i].process != all->last_reads[k].process &&
                (all->last_reads[k].time == INT64_MIN ||
                 all->first_writes[i].time <= -all->last_reads[k].time))
                return true;
    return false;
}

void fth_reuse_add(struct fth_reuse_of_all *all, struct fth_reuse *reuse, int64_t error)
{
    add_times(all, reuse, error);
    end_range(reuse);
    end_series(reuse);
    if (reuse->extents.vague) {
        all->extents.vague = true;
        fth_extents_empty(&all->extents);
    }
    all->counts.read_again += reuse->counts.read_again;
    all->may_be_cut |= reuse->may_be_cut;
    if (!reuse->may_be_cut)
        all->counts.read_back += reuse->counts.read_back;
    all->counts.written_again += reuse->counts.written_again;
    FTH_ADD_SATURATING(all->counts.again_time, reuse->counts.again_time);
    if (!reuse->may_be_cut)
        FTH_ADD_SATURATING(all->counts.back_time, reuse->counts.back_time);
    fth_extents_each(&reuse->extents, join_series, all);
    fth_extents_empty(&reuse->extents);
}

static void cover(void *context, const struct fth_strided *series, uint64_t marks)
{
    struct fth_coverage *coverage = context;
    uint64_t bytes = series->length * series->count,
             behind = series->start + series->stride * (series->count - 1) + series->length;
    if (!coverage->covered || series->start < coverage->first)
        coverage->first = series->start;
    coverage->behind = behind > coverage->behind ? behind : coverage->behind;
    coverage->covered += bytes;
    coverage->read += marks & READ ? bytes : 0;
    coverage->written += marks & WRITTEN ? bytes : 0;
    coverage->by_several += marks & BY_SEVERAL ? bytes : 0;
    coverage->written_by_several += marks & WRITTEN_BY_SEVERAL ? bytes : 0;
    coverage->passed_on += marks & PASSED_ON ? bytes : 0;
    coverage->never_read += marks & UNREAD ? bytes : 0;
}

struct fth_coverage fth_reuse_coverage(const struct fth_reuse_of_all *all)
{
    struct fth_coverage coverage = {0};
    fth_extents_each(&all->extents, cover, &coverage);
    if (!may_pass_on(all))
        coverage.passed_on = 0;
    return coverage;
}

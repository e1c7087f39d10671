/* A name may be made anew thousands of times (a file that is written beside another one, and
 * renamed to it). So what a call is held against is found by halving, not by going through all
 * calls on the name. */
#include "verify/gather/name_history.h"

#include "base/memory.h"

bool fth_touch_came_before(const struct fth_runs *runs, const struct fth_touch *a,
                           const struct fth_touch *b)
{
    if (a->proc == b->proc && a->thread == b->thread)
        return a->call < b->call;
    return fth_runs_before(runs, a->moment, b->moment);
}

static int by_name_and_time(const void *a, const void *b)
{
    const struct fth_touch *one = *(struct fth_touch *const *)a;
    const struct fth_touch *other = *(struct fth_touch *const *)b;
    if (one->name != other->name)
        return one->name < other->name ? -1 : 1;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static void sort_touches(struct fth_run_accesses *accesses)
{
    accesses->touches_by_name = fth_new(accesses->touch_count + 1, sizeof(struct fth_touch *));
    accesses->first_touch = fth_new(accesses->names.count + 2, sizeof *accesses->first_touch);
    for (size_t i = 0; i < accesses->touch_count; i++) {
        accesses->touches_by_name[i] = &accesses->touches[i];
        accesses->first_touch[accesses->touches[i].name + 1]++;
    }
    for (uint32_t i = 0; i < accesses->names.count; i++)
        accesses->first_touch[i + 1] += accesses->first_touch[i];
    qsort(accesses->touches_by_name, accesses->touch_count, sizeof(struct fth_touch *),
          by_name_and_time);
}

static bool tells_whether_there(const struct fth_touch *touch)
{
    return touch->is_there || touch->is_missing || touch->kind == FTH_TOUCH_REMOVE;
}

static bool makes_or_removes(const struct fth_touch *touch)
{
    return touch->kind == FTH_TOUCH_MAKE_NEW || touch->kind == FTH_TOUCH_REMOVE;
}

static bool goes_on(const struct fth_touch *touch, const struct fth_touch *next)
{
    return touch->name == next->name && touch->proc == next->proc &&
           touch->thread == next->thread && touch->call < next->call;
}

struct fth_name_history fth_name_history_of(struct fth_run_accesses *accesses,
                                            const struct fth_runs *runs)
{
    sort_touches(accesses);
    uint32_t count = (uint32_t)accesses->touch_count;
    struct fth_touch *const *touches = accesses->touches_by_name;
    struct fth_name_history history = {.accesses = accesses,
                                       .runs = runs,
                                       .run_end = fth_new(count + 1, sizeof *history.run_end),
                                       .over = fth_new(count + 1, sizeof *history.over),
                                       .seen = fth_new(count + 1, sizeof *history.seen),
                                       .made = fth_new(count + 1, sizeof *history.made)};
    for (uint32_t i = 0; i < count; i++) {
        bool is_first = i == 0 || touches[i - 1]->name != touches[i]->name;
        int64_t over = is_first ? INT64_MIN : history.over[i - 1];
        history.over[i] = touches[i]->end > over ? touches[i]->end : over;
        history.seen[i] = tells_whether_there(touches[i]) ? i + 1
                          : is_first                      ? 0
                                                          : history.seen[i - 1];
        history.made[i] = makes_or_removes(touches[i]) ? i + 1 : is_first ? 0 : history.made[i - 1];
    }
    for (uint32_t i = count; i-- > 0;)
        history.run_end[i] =
            i + 1 < count && goes_on(touches[i], touches[i + 1]) ? history.run_end[i + 1] : i + 1;
    return history;
}

void fth_name_history_free(struct fth_name_history *history)
{
    free(history->run_end);
    free(history->over);
    free(history->seen);
    free(history->made);
}

const struct fth_touch *fth_name_history_last(const struct fth_name_history *history,
                                              const uint32_t *last, uint32_t name, int64_t time)
{
    uint32_t first = history->accesses->first_touch[name], low = first;
    uint32_t high = history->accesses->first_touch[name + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (history->over[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > first && last[low - 1] ? history->accesses->touches_by_name[last[low - 1] - 1]
                                        : NULL;
}

uint32_t fth_name_history_begun(const struct fth_name_history *history, uint32_t name, int64_t time)
{
    uint32_t low = history->accesses->first_touch[name];
    uint32_t high = history->accesses->first_touch[name + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (history->accesses->touches_by_name[middle]->start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t fth_name_history_behind(const struct fth_name_history *history, uint32_t at,
                                 const struct fth_touch *later)
{
    uint32_t low = at, high = history->run_end[at];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fth_touch_came_before(history->runs, history->accesses->touches_by_name[middle], later))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Phases: their ends, and what follows from the choice. */
#include "capture/record/watch_phases.h"

#include "base/settings.h"
#include "base/watch_rule.h"
#include "calls.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/process/spill_folder.h"
#include "trace/spill/watch_choice.h"
#include "interpose/own/apart.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/sandbox.h"
#include "interpose/own/stack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LAYERS = 64,
    /* Watched, a process becomes slow in the middle of a phase when it has taken so many times what
     * it took in the phase before, and this part of what the last one of the chosen took then. */
    TIMES_ITS_OWN = 2,
    PART_OF_THE_SLOWEST = 4,
    PAGE = (sizeof(struct fth_watch_page) + FTH_SPILL_PAGE - 1) / FTH_SPILL_PAGE * FTH_SPILL_PAGE,
};

bool fth_is_only_watched, fth_meetings_end_phases;
void (*fth_recorded_again)(void);
int32_t (*fth_members_of)(uint32_t handle_class, int32_t slot);

static struct fth_watch_rule rule;
static bool is_on;
static uint8_t *when_recorded, *when_watched; /* enum fth_wanted, by function of the catalogue */
static struct fth_watch_page *page;           /* NULL: there is none; all is recorded then */
static struct fth_watch_place own_place, *place = &own_place; /* own_place: none on the page */
static struct fth_watched_head *rows;                         /* mapped; rows of phases follow */
static uint64_t rows_at, row_count;
static struct fth_watched_phase *row;  /* of the phase that lasts; NULL: there was no room */
static uint64_t meetings;              /* since the last end of a phase */
static uint64_t limit = UINT64_MAX;    /* ticks in this phase from which on it is slow */
static uint64_t next_end = UINT64_MAX; /* ticks; of FTH_WATCH_TIME */
static double ticks_per_ns;
static uint64_t time_zero;   /* ticks */
static const char *changing; /* who is at it: an address of the thread's own */

/* ---- what is wanted ---- */

static void switch_to(bool recorded)
{
    const uint8_t *to = recorded ? when_recorded : when_watched;
    if (fth_is_only_watched == !recorded)
        return;
    if (recorded && fth_recorded_again)
        fth_recorded_again();
    __atomic_store_n(&fth_is_only_watched, !recorded, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < fth_call_count; i++)
        __atomic_store_n(&fth_wanted[i], to[i], __ATOMIC_RELAXED);
}

/* ---- rows ---- */

static void map_rows(void *unused)
{
    (void)unused;
    rows = fth_watched_map(FTH_WATCHED_PHASES, &rows_at);
}

static void begin_row(uint64_t number, uint64_t now, enum fth_watched_how how)
{
    if (row_count == FTH_WATCHED_PHASES_ROOM) {
        fth_unmap(rows, FTH_WATCHED_BLOCK);
        rows = NULL;
    }
    if (!rows) {
        row_count = 0;
        fth_on_own_stack(map_rows, NULL);
    }
    row = rows ? (struct fth_watched_phase *)(rows + 1) + row_count++ : NULL;
    if (!row)
        return;
    row->number = number;
    row->begin = now;
    atomic_signal_fence(memory_order_seq_cst);
    row->chosen = how; /* it counts from here on */
}

static void end_row(uint64_t now)
{
    if (!row)
        return;
    row->time = place->time[place->phase % FTH_WATCH_KEPT];
    row->recorded = place->recorded;
    row->calls = place->calls;
    atomic_signal_fence(memory_order_seq_cst);
    row->end = now;
}

/* ---- the end of a phase ---- */

/* One thread of the process at a time; another one that comes meanwhile has ended the same
 * phase. */
static bool takes_turn(void)
{
    const char *nobody = NULL;
    return is_on && !fth_aside && fth_process && !fth_process->stopped &&
           __atomic_compare_exchange_n(&changing, &nobody, (const char *)fth_self, false,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void gives_turn(void)
{
    __atomic_store_n(&changing, NULL, __ATOMIC_RELEASE);
}

static void take_place(void)
{
    struct fth_watch_place *taken =
        page && place == &own_place ? fth_watch_take_place(page, fth_process->image) : NULL;
    if (!taken)
        return;
    taken->phase = own_place.phase;
    memcpy(taken->time, own_place.time, sizeof taken->time);
    taken->recorded = own_place.recorded;
    taken->calls = own_place.calls;
    place = taken;
}

static void go_on_to(uint64_t next)
{
    uint64_t before = place->phase;
    for (uint64_t i = 0; i < FTH_WATCH_KEPT; i++)
        if (i == next % FTH_WATCH_KEPT || next != before + 1)
            __atomic_store_n(&place->time[i], 0, __ATOMIC_RELAXED);
    place->recorded = place->calls = 0;
    __atomic_store_n(&place->phase, next, __ATOMIC_RELEASE);
}

static void end_phase(uint64_t next, uint64_t now)
{
    uint64_t took = place->time[place->phase % FTH_WATCH_KEPT];
    end_row(now);
    take_place();
    go_on_to(next);
    if (place == &own_place) {
        switch_to(true);
        begin_row(next, now, FTH_WATCHED_NO_PLACE);
        return;
    }
    struct fth_watch_chosen chosen =
        fth_watch_choose(page, place, next, rule.slowest, rule.unit != FTH_WATCH_TIME);
    uint64_t part = chosen.least / PART_OF_THE_SLOWEST;
    limit = took * TIMES_ITS_OWN > part ? took * TIMES_ITS_OWN : part;
    if (chosen.is_chosen || !limit)
        limit = UINT64_MAX;
    switch_to(chosen.is_chosen);
    begin_row(next, now, chosen.is_chosen ? FTH_WATCHED_CHOSEN : FTH_WATCHED_ONLY);
}

/* Signal handlers that come now find the recorder at work. */
static void end_phase_here(uint64_t next, uint64_t now)
{
    struct fth_recorder *recorder = fth_self;
    int before = errno;
    uintptr_t busy = recorder->busy;
    if (!takes_turn())
        return;
    recorder->busy = busy ? busy : FTH_BUSY_ELSEWHERE;
    if (next > place->phase)
        end_phase(next, now);
    recorder->busy = busy;
    gives_turn();
    errno = before;
}

static void meet(void)
{
    if (fth_self && *fth_alive == 1 && !fth_self->retired && ++meetings >= rule.every) {
        meetings = 0;
        end_phase_here(place->phase + 1, fth_ticks());
    }
}

void fth_met_all(uint32_t handle_class, int32_t slot)
{
    if (fth_members_of && slot >= 0 && fth_process &&
        fth_members_of(handle_class, slot) == fth_process->size)
        meet();
}

void fth_phase_marked(const char *name)
{
    if (is_on && rule.unit == FTH_WATCH_MARKS && name && strcmp(name, rule.mark) == 0)
        meet();
}

static void end_by_time(uint64_t now)
{
    uint64_t length = (uint64_t)((double)rule.every * ticks_per_ns);
    uint64_t next = (now - time_zero) / length;
    next_end = time_zero + (next + 1) * length;
    end_phase_here(next, now);
}

/* ---- calls ---- */

/* Is the time of this call that of the layer, or inside another call whose time is? */
static bool is_compared(const struct fth_draft *draft)
{
    if (*rule.layer)
        return !(draft->head >> 24 & FTH_INSIDE_SAME_LAYER);
    return !(draft->context & FTH_CONTEXT_LAYERS & ~(uint32_t)FTH_CONTEXT_mark_region);
}

/* Most processes do their I/O in one thread, and need no atomic additions, which take 6 ns each. */
static const struct fth_recorder *only_one;
static bool are_several;

static void know_thread(const struct fth_recorder *recorder)
{
    if (FTH_LIKELY(only_one == recorder))
        return;
    if (!only_one)
        only_one = recorder;
    else
        are_several = true;
}

static void add(uint64_t *to, uint64_t more)
{
    if (FTH_UNLIKELY(are_several))
        __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
    else
        __atomic_store_n(to, *to + more, __ATOMIC_RELAXED);
}

static bool overtakes(void)
{
    if (!takes_turn())
        return false;
    limit = UINT64_MAX;
    switch_to(true);
    if (row)
        row->chosen = FTH_WATCHED_OVERTOOK;
    gives_turn();
    return true;
}

static uint64_t duration(const struct fth_draft *draft)
{
    return draft->end > draft->begin ? draft->end - draft->begin : 0;
}

/* Of a call whose time is compared. */
static inline void take_time(const struct fth_draft *draft, uint64_t took, bool recorded)
{
    know_thread(draft->recorder);
    add(&place->time[place->phase % FTH_WATCH_KEPT], took);
    add(&place->calls, 1);
    if (recorded)
        add(&place->recorded, took);
    if (FTH_UNLIKELY(draft->end >= next_end))
        end_by_time(draft->end);
}

void fth_phase_recorded(struct fth_draft *draft)
{
    if (is_compared(draft))
        take_time(draft, duration(draft), true);
}

static bool has_failed(const struct fth_draft *draft, unsigned as)
{
    int64_t last = draft->count ? draft->values[draft->count - 1] : 0;
    return FTH_IS_FAILURE(last) || (as & FTH_WATCHED_CODE && last != 0) ||
           ((as & FTH_WATCHED_MOVES) > FTH_WATCHED_OTHER && draft->moved < 0);
}

static inline void add_call(const struct fth_draft *draft, uint64_t took)
{
    uint32_t function = (uint32_t)draft->head & 0xffff,
             flags = (uint32_t)(draft->head >> 24) % FTH_INSIDE_ALL;
    struct fth_watched_calls *entry = fth_watched_entry(draft->recorder, function, flags);
    if (FTH_UNLIKELY(!entry)) {
        fth_watched_count(draft->recorder, function);
        return;
    }
    unsigned as = fth_watched_as[function];
    uint64_t moved = draft->moved > 0 ? (uint64_t)draft->moved : 0;
    if (took < entry->shortest || !entry->calls)
        entry->shortest = took;
    if (took > entry->longest)
        entry->longest = took;
    entry->calls++;
    entry->errors += has_failed(draft, as);
    entry->bytes_read += (as & FTH_WATCHED_MOVES) == FTH_WATCHED_READ ? moved : 0;
    entry->bytes_written += (as & FTH_WATCHED_MOVES) == FTH_WATCHED_WRITE ? moved : 0;
    entry->time += took;
}

/* Has a call that took so long made the process one of the slow ones? Of a call that says itself
 * where it reads or writes, all is known that is recorded. For others nobody has asked where the
 * descriptor stood. */
static inline bool makes_slow(const struct fth_draft *draft, uint64_t took, bool compared)
{
    return FTH_UNLIKELY(place->time[place->phase % FTH_WATCH_KEPT] + took >= limit) && compared &&
           overtakes() && draft->predicted >= 0;
}

bool fth_phase_watched(struct fth_draft *draft)
{
    bool is_timed = FTH_LIKELY(fth_wanted[draft->head & 0xffff] == FTH_TIMED);
    uint64_t took = duration(draft);
    bool compared = is_timed && is_compared(draft);
    if (makes_slow(draft, took, compared)) {
        take_time(draft, took, true);
        return false;
    }
    if (draft->cursor) /* a reader does not see what the call did to it */
        *draft->cursor = draft->cursor_before;
    if (is_timed)
        add_call(draft, took);
    else
        fth_watched_count(draft->recorder, (uint32_t)draft->head & 0xffff);
    if (compared)
        take_time(draft, took, false);
    fth_leave(draft);
    return true;
}

/* ---- begin and end ---- */

static const char *read_word(const char *at, uint64_t *number)
{
    char *end;
    *number = strtoull(at, &end, 10);
    return *end ? end + 1 : end;
}

/* As fth_watch_rule_write has written it. */
static void read_rule(const char *text)
{
    uint64_t unit;
    const char *at = read_word(read_word(read_word(text, &rule.slowest), &unit), &rule.every);
    size_t length = strcspn(at, " ");
    rule.unit = (enum fth_watch_unit)unit;
    memset(rule.layer, 0, sizeof rule.layer);
    memset(rule.mark, 0, sizeof rule.mark);
    if (length < sizeof rule.layer && *at != '-')
        memcpy(rule.layer, at, length);
    if (at[length])
        strncpy(rule.mark, at + length + 1, sizeof rule.mark - 1);
}

static void map_page(void *unused)
{
    const char *const names[] = {FTH_SPILL_MEMORY "/" FTH_WATCH_PAGE, FTH_WATCH_PAGE};
    (void)unused;
    for (size_t i = 0; i < 2 && !page; i++) {
        int error, file = fth_spill_open(names[i], O_RDWR | O_CREAT, &error);
        if (file < 0)
            continue;
        page = fth_file_map(file, 0, PAGE, &error);
        fth_file_close(file);
    }
}

/* Layers that have calls which may be watched. */
struct layers {
    uint32_t names[MOST_LAYERS]; /* where they begin in fth_call_words */
    unsigned count;
};

static bool has_layer(const struct layers *layers, uint32_t name)
{
    for (unsigned i = 0; i < layers->count; i++)
        if (layers->names[i] == name)
            return true;
    return false;
}

static struct layers find_layers(const uint8_t *as)
{
    struct layers layers = {.count = 0};
    for (unsigned i = 0; i < fth_call_count; i++) {
        uint32_t name = fth_call_infos[i].layer;
        bool is_of_rule = *rule.layer ? strcmp(fth_call_words + name, rule.layer) == 0 : as[i];
        if (is_of_rule && layers.count < MOST_LAYERS && !has_layer(&layers, name))
            layers.names[layers.count++] = name;
    }
    return layers;
}

static void make_tables(uint8_t *as, const struct fth_also_watched *also)
{
    for (unsigned i = 0; i < fth_call_count; i++)
        as[i] = fth_call_infos[i].watched;
    for (; also->function >= 0; also++)
        as[also->function] = also->as;
    const struct layers layers = find_layers(as);
    for (unsigned i = 0; i < fth_call_count; i++) {
        bool is_mine = has_layer(&layers, fth_call_infos[i].layer);
        when_recorded[i] = when_watched[i] = fth_wanted[i];
        if (fth_wanted[i] != FTH_WANTED)
            continue;
        when_recorded[i] = when_watched[i] = is_mine ? FTH_MEASURED : FTH_WANTED;
        if (as[i])
            when_watched[i] = is_mine ? FTH_TIMED : FTH_COUNTED;
    }
}

/* `meets`: it may come to where all ranks meet. */
static void begin_first_phase(bool meets)
{
    uint64_t now = fth_ticks();
    own_place = (struct fth_watch_place){0};
    place = &own_place;
    rows = NULL;
    row = NULL;
    row_count = meetings = 0;
    limit = next_end = UINT64_MAX;
    changing = NULL;
    only_one = NULL;
    are_several = false;
    if (rule.unit == FTH_WATCH_TIME || (meets && fth_process->rank >= 0))
        take_place();
    if (rule.unit == FTH_WATCH_TIME) {
        uint64_t length = (uint64_t)((double)rule.every * ticks_per_ns);
        go_on_to((now - time_zero) / length);
        next_end = time_zero + (place->phase + 1) * length;
    }
    begin_row(place->phase, now, FTH_WATCHED_FIRST);
}

void fth_phases_start(const struct fth_also_watched *also)
{
    const char *text = fth_setting(FTH_SETTING_NAME(SELECT));
    const char *rate = fth_setting(FTH_SETTING_NAME(TICK_RATE));
    uint8_t *as = text && !is_on ? fth_map_memory(3 * (size_t)fth_call_count) : NULL;
    fth_is_only_watched = false;
    if (!text || !fth_process)
        return;
    if (as) {
        when_recorded = as + fth_call_count;
        when_watched = when_recorded + fth_call_count;
        fth_watched_as = as;
    }
    if (!when_recorded)
        return;
    read_rule(text);
    ticks_per_ns = rate && !fth_ticks_are_ns ? (double)strtoull(rate, NULL, 10) * 1e-9 : 1;
    make_tables((uint8_t *)(uintptr_t)fth_watched_as, also);
    page = NULL;
    fth_apart_or_alone(map_page, NULL);
    is_on = true;
    fth_meetings_end_phases = rule.unit == FTH_WATCH_PHASES;
    begin_first_phase(true);
    for (unsigned i = 0; i < fth_call_count; i++)
        fth_wanted[i] = when_recorded[i];
}

void fth_phases_in_child(void)
{
    if (!is_on)
        return;
    if (rows)
        fth_unmap(rows, FTH_WATCHED_BLOCK);
    fth_watched_in_child();
    if (!fth_process)
        return;
    changing = NULL;
    switch_to(true);
    begin_first_phase(false);
}

bool fth_phases_remap(void)
{
    return !rows || fth_watched_map_again(rows, rows_at);
}

void fth_phases_end(void)
{
    if (!is_on)
        return;
    is_on = fth_meetings_end_phases = false;
    limit = next_end = UINT64_MAX;
    if (fth_process)
        end_row(fth_ticks());
    if (place != &own_place)
        __atomic_store_n(&place->image, 0, __ATOMIC_RELEASE);
    place = &own_place;
}

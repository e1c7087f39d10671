/* Blocks of IMAGE.0.watched. A killed process leaves them as they are: each number in them
 * counts. */
#include "trace/merge/gather_watched.h"

#include "base/memory.h"
#include "trace/merge/walk_sums.h"

struct gathering {
    struct fth_walk *walk;
    const struct fth_spill_process *process;
    const struct fth_clock *clock;
    struct fth_watched_process *watched;
    uint64_t last; /* ticks: end of the process */
};

static uint64_t ns_of(const struct gathering *gathering, uint64_t ticks)
{
    const struct fth_clock *clock = gathering->clock;
    unsigned __int128 ns =
        clock->rate_ticks ? (unsigned __int128)ticks * clock->rate_ns / clock->rate_ticks : 0;
    return ns >> 60 ? 0 : (uint64_t)ns;
}

static int64_t time_of(const struct gathering *gathering, uint64_t ticks)
{
    uint64_t start = gathering->process->start.ticks;
    return gathering->clock->start_realtime +
           (int64_t)(ticks > start ? ns_of(gathering, ticks - start) : 0);
}

/* ---- calls ---- */

static void add_counted(struct gathering *gathering, uint32_t function, uint64_t calls)
{
    struct fth_watched_process *watched = gathering->watched;
    struct fth_facts *facts = &gathering->walk->process.facts;
    size_t i = 0;
    facts->unkept.calls += calls;
    facts->lost += calls;
    while (i < watched->counted_count && watched->counted[i].function != function)
        i++;
    if (i == watched->counted_count) {
        FTH_GROW(watched->counted, watched->counted_count);
        watched->counted[watched->counted_count++] = (struct fth_counted_only){function, 0};
    }
    watched->counted[i].calls += calls;
}

static void add_timed(struct gathering *gathering, const struct fth_watched_calls *entry)
{
    struct fth_walk *walk = gathering->walk;
    uint64_t quantum = walk->process.facts.quantum;
    fth_walk_add_sum(walk, &(struct fth_sum){.function = entry->function,
                                             .flags = entry->flags,
                                             .calls = entry->calls,
                                             .errors = entry->errors,
                                             .bytes_read = entry->bytes_read,
                                             .bytes_written = entry->bytes_written,
                                             .time = entry->time / quantum,
                                             .shortest = entry->shortest / quantum,
                                             .longest = entry->longest / quantum});
    walk->process.facts.summed.calls += entry->calls;
}

static bool take_calls(struct gathering *gathering, const struct fth_watched_head *head)
{
    const struct fth_watched_calls *entries = (const struct fth_watched_calls *)(head + 1);
    gathering->watched->others += head->others;
    gathering->walk->process.facts.unkept.calls += head->others;
    gathering->walk->process.facts.lost += head->others;
    for (unsigned i = 0; i < FTH_WATCHED_CALLS_ROOM && entries[i].calls; i++) {
        if (entries[i].function >= gathering->walk->part->catalog->row_count ||
            entries[i].flags >= FTH_INSIDE_ALL)
            return false;
        if (entries[i].is_timed)
            add_timed(gathering, &entries[i]);
        else
            add_counted(gathering, entries[i].function, entries[i].calls);
    }
    return true;
}

/* ---- phases ---- */

static bool take_phases(struct gathering *gathering, const struct fth_watched_head *head)
{
    const struct fth_watched_phase *rows = (const struct fth_watched_phase *)(head + 1);
    struct fth_watched_process *watched = gathering->watched;
    for (unsigned i = 0; i < FTH_WATCHED_PHASES_ROOM && rows[i].chosen; i++) {
        const struct fth_watched_phase *row = &rows[i];
        bool is_open = !row->end;
        uint64_t end = is_open ? gathering->last : row->end;
        if (row->chosen > FTH_WATCHED_NO_PLACE)
            return false;
        struct fth_watched_span span = {
            .number = row->number,
            .begin = time_of(gathering, row->begin),
            .is_open = is_open,
            .time = ns_of(gathering, row->time),
            .recorded = ns_of(gathering, row->recorded < row->time ? row->recorded : row->time),
            .calls = row->calls,
            .how = (enum fth_watched_how)row->chosen};
        span.end = time_of(gathering, end > row->begin ? end : row->begin);
        if (watched->span_count && span.number < watched->spans[watched->span_count - 1].number)
            return false;
        FTH_GROW(watched->spans, watched->span_count);
        watched->spans[watched->span_count++] = span;
    }
    return true;
}

/* Calls were missed from the first phase on in which it was watched. */
static void note_since(struct gathering *gathering)
{
    const struct fth_watched_process *watched = gathering->watched;
    struct fth_facts *facts = &gathering->walk->process.facts;
    for (size_t i = 0; i < watched->span_count; i++) {
        const struct fth_watched_span *span = &watched->spans[i];
        if (span->how != FTH_WATCHED_ONLY && span->how != FTH_WATCHED_OVERTOOK)
            continue;
        if (facts->summed.calls && (!facts->summed.since || span->begin < facts->summed.since)) {
            facts->summed.since = span->begin;
            facts->summed.error = FTH_ONLY_WATCHED;
        }
        if (facts->unkept.calls && !facts->unkept.error) {
            facts->unkept.since = span->begin;
            facts->unkept.error = FTH_ONLY_WATCHED;
        }
        return;
    }
}

int fth_gather_watched(struct fth_walk *walk, const struct fth_spill_folder *folder,
                       const struct fth_spill_image *image, const struct fth_clock *clock,
                       struct fth_watched_process *watched, struct fth_error **error)
{
    struct fth_spill_map map;
    struct gathering gathering = {walk, image->process, clock, watched,
                                  walk->process.facts.last_ticks};
    bool good = true;
    watched->image = image->image;
    if (!fth_spill_map_watched(folder, image->image, &map))
        return 0;
    for (size_t at = 0; good && at + FTH_WATCHED_BLOCK <= map.length; at += FTH_WATCHED_BLOCK) {
        const struct fth_watched_head *head = (const void *)(map.bytes + at);
        if (!head->magic) /* it was being made */
            continue;
        good = head->magic == FTH_WATCHED_MAGIC && head->image == image->image;
        if (good && head->kind == FTH_WATCHED_CALLS)
            good = take_calls(&gathering, head);
        else if (good)
            good = head->kind == FTH_WATCHED_PHASES && take_phases(&gathering, head);
    }
    fth_spill_unmap(&map);
    note_since(&gathering);
    return good ? 0 : fth_fail(error, "its counts of watched calls are damaged");
}

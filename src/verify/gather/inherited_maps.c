/* A child has the mappings of its parent, from the fork to its own end: whatever it stores there,
 * or takes from there, is an access of its own, of the same bytes. Its own children have them, too.
 * Which mapping a munmap ends is not known, as addresses are not recorded: the parent may have
 * ended it before. */
#include "verify/gather/inherited_maps.h"

#include "base/memory.h"

#include <string.h>

/* A mapping that a process has. */
struct mapping {
    uint32_t situation;
    uint64_t start, length; /* bytes of the file */
};

struct inheriting {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    const struct fth_last_call **last_calls; /* by process; NULL: nothing was recorded of it */
    uint32_t *children;                      /* by birth; UINT32_MAX: not recorded */
    struct mapping *mappings;
    size_t mapping_count;
};

static uint32_t child_of(const struct fth_runs *runs, const struct fth_birth *birth)
{
    for (uint32_t proc = birth->proc + 1; proc < runs->process_count; proc++)
        if (fth_runs_predecessor(runs, proc) == birth->proc &&
            fth_runs_process(runs, proc)->pid == birth->pid)
            return proc;
    return UINT32_MAX;
}

static void add_mapping(struct inheriting *inheriting, uint32_t situation, uint64_t start,
                        uint64_t length)
{
    if (!inheriting->accesses->situations[situation].is_mapping)
        return;
    FTH_GROW(inheriting->mappings, inheriting->mapping_count);
    inheriting->mappings[inheriting->mapping_count++] = (struct mapping){situation, start, length};
}

static void find_mappings(struct inheriting *inheriting)
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    for (size_t i = 0; i < accesses->range_count; i++)
        add_mapping(inheriting, accesses->ranges[i].situation, accesses->ranges[i].start,
                    accesses->ranges[i].length);
    for (size_t i = 0; i < accesses->series_count; i++)
        add_mapping(inheriting, accesses->series[i].situation, accesses->series[i].series.start,
                    accesses->series[i].series.length);
}

static void find_processes(struct inheriting *inheriting)
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    inheriting->last_calls =
        fth_new(inheriting->runs->process_count + 1, sizeof(struct fth_last_call *));
    inheriting->children = fth_new(accesses->birth_count + 1, sizeof *inheriting->children);
    for (size_t i = 0; i < accesses->last_call_count; i++)
        inheriting->last_calls[accesses->last_calls[i].proc] = &accesses->last_calls[i];
    for (size_t i = 0; i < accesses->birth_count; i++)
        inheriting->children[i] = child_of(inheriting->runs, &accesses->births[i]);
}

/* FTH_GROW wants room for a power of two. */
static size_t room_for(size_t count)
{
    size_t room = 1;
    while (room < count)
        room *= 2;
    return room;
}

static void make_room(struct fth_run_accesses *accesses)
{
    accesses->situations = fth_resize(accesses->situations, room_for(accesses->situation_count),
                                      sizeof *accesses->situations);
    accesses->ranges =
        fth_resize(accesses->ranges, room_for(accesses->range_count), sizeof *accesses->ranges);
}

/* When the mapping ends for the child is known if its first thread made its last call. */
static struct fth_situation inherited(const struct fth_situation *mapping, uint32_t child,
                                      const struct fth_process *process,
                                      const struct fth_last_call *last)
{
    struct fth_situation situation = *mapping;
    situation.proc = child;
    situation.thread = last->first_thread;
    situation.begin = last->first;
    situation.end = last->behind;
    if (last->thread != last->first_thread)
        situation.end = (struct fth_moment){last->first.timeline, FTH_NEVER};
    situation.began = 0;
    situation.ended = UINT32_MAX;
    situation.first_call = situation.last_call = 0;
    situation.start = process->start;
    situation.end_time = process->end;
    situation.why_unsure = "its process has the mapping from its parent, unless that had ended "
                           "it (munmap), and what it accesses there is not seen";
    return situation;
}

/* A child of which nothing was recorded has the mapping for longer than its parent, maybe; one that
 * became another program has none. */
static void inherit(struct inheriting *inheriting, struct mapping mapping, uint32_t child)
{
    struct fth_run_accesses *accesses = inheriting->accesses;
    const struct fth_last_call *last = child == UINT32_MAX ? NULL : inheriting->last_calls[child];
    if (!last) {
        accesses->situations[mapping.situation].end.step = FTH_NEVER;
        return;
    }
    const struct fth_process *process = fth_runs_process(inheriting->runs, child);
    if (strcmp(process->how_ended, "exec") == 0)
        return;
    uint32_t number = (uint32_t)accesses->situation_count;
    FTH_GROW(accesses->situations, accesses->situation_count);
    accesses->situations[accesses->situation_count++] =
        inherited(&accesses->situations[mapping.situation], child, process, last);
    FTH_GROW(accesses->ranges, accesses->range_count);
    accesses->ranges[accesses->range_count++] =
        (struct fth_access_range){mapping.start, mapping.length, number, 0};
    add_mapping(inheriting, number, mapping.start, mapping.length);
}

void fth_inherited_maps_add(struct fth_run_accesses *accesses, const struct fth_runs *runs)
{
    struct inheriting inheriting = {.accesses = accesses, .runs = runs};
    if (!accesses->birth_count)
        return;
    find_mappings(&inheriting);
    if (inheriting.mapping_count) {
        find_processes(&inheriting);
        make_room(accesses);
    }
    for (size_t i = 0; i < inheriting.mapping_count; i++)
        for (size_t k = 0; k < accesses->birth_count; k++) {
            struct mapping mapping = inheriting.mappings[i];
            const struct fth_situation *situation = &accesses->situations[mapping.situation];
            if (accesses->births[k].proc == situation->proc &&
                accesses->births[k].time >= situation->start)
                inherit(&inheriting, mapping, inheriting.children[k]);
        }
    free(inheriting.last_calls);
    free(inheriting.children);
    free(inheriting.mappings);
}

/* Two simulations side by side: see the header. */
#include "sim/results/changes.h"

#include "base/memory.h"
#include "sim/results/resources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is kept of a run ---- */

/* Processors of nodes are one, so are disks; parts of the network have their names. */
static void name_resource(const struct fth_sim_resource *resource, char *name, size_t size)
{
    snprintf(name, size, "%s",
             resource->kind == FTH_SIM_PROCESSORS ? "processors"
             : resource->kind == FTH_SIM_DISK     ? "disks"
                                                  : resource->name);
}

static struct fth_sim_used *find_used(const struct fth_sim_outcome *outcome, const char *name)
{
    for (uint32_t i = 0; i < outcome->used_count; i++)
        if (!strcmp(outcome->used[i].name, name))
            return &outcome->used[i];
    return NULL;
}

static void take_resource(void *context, const struct fth_sim_resource *resource)
{
    struct fth_sim_outcome *outcome = context;
    struct fth_sim_used one = {.busy = resource->busy}, *used;
    name_resource(resource, one.name, sizeof one.name);
    used = find_used(outcome, one.name);
    if (!used) {
        FTH_GROW(outcome->used, outcome->used_count);
        outcome->used[outcome->used_count++] = one;
    } else if (one.busy > used->busy) {
        used->busy = one.busy;
    }
}

void fth_sim_outcome_take(struct fth_sim_outcome *outcome, const struct fth_sim_world *world)
{
    uint32_t unfinished;
    outcome->time = fth_sim_world_time(world);
    outcome->end = fth_sim_world_last_end(world, &unfinished);
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        outcome->spent[verb] = *fth_sim_world_spent(world, verb);
    fth_sim_each_resource(world, take_resource, outcome);
}

void fth_sim_outcome_free(struct fth_sim_outcome *outcome)
{
    free(outcome->used);
    *outcome = (struct fth_sim_outcome){0};
}

/* ---- what changed ---- */

enum { PART, WHAT, BEFORE, AFTER, RATIO, COLUMNS };
static const struct fth_column columns[COLUMNS] = {
    {"part", "part", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"what", "what", FTH_UNIT_TEXT, FTH_SHOW_ALWAYS},
    {"before", "before", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"after", "after", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"ratio", "ratio", FTH_UNIT_RATIO, FTH_SHOW_ALWAYS},
};

struct change {
    const char *what;
    int64_t before, after;
};

static int by_size(const void *one, const void *other)
{
    const struct change *a = one, *b = other;
    int64_t first = llabs(a->after - a->before), second = llabs(b->after - b->before);
    return first != second ? (first < second ? 1 : -1) : strcmp(a->what, b->what);
}

static void add_row(struct fth_table *table, const char *part, const struct change *change)
{
    size_t row = fth_table_add_row(table);
    fth_table_set(table, row, PART, fth_cell_text(part));
    fth_table_set(table, row, WHAT, fth_cell_text(change->what));
    fth_table_set(table, row, BEFORE, fth_cell_integer(change->before));
    fth_table_set(table, row, AFTER, fth_cell_integer(change->after));
    if (change->before)
        fth_table_set(table, row, RATIO,
                      fth_cell_real((double)change->after / (double)change->before));
}

static void add_part(struct fth_table *table, const char *part, struct change *changes,
                     uint32_t count)
{
    if (count)
        qsort(changes, count, sizeof *changes, by_size);
    for (uint32_t i = 0; i < count; i++)
        if (changes[i].before || changes[i].after)
            add_row(table, part, &changes[i]);
}

struct fth_table *fth_sim_changes(const struct fth_sim_outcome *before,
                                  const struct fth_sim_outcome *after)
{
    static const struct fth_shape shape = {"changes", "What changed", columns, COLUMNS, 0};
    struct fth_table *table = fth_table_new(&shape);
    if (!table)
        return NULL;
    add_row(table, "run", &(struct change){"time", before->time, after->time});
    add_row(table, "run", &(struct change){"last end", before->end, after->end});
    struct change commands[FTH_SIM_VERBS];
    for (enum fth_sim_verb verb = 0; verb < FTH_SIM_VERBS; verb++)
        commands[verb] = (struct change){fth_sim_verb_names[verb], before->spent[verb].time,
                                         after->spent[verb].time};
    add_part(table, "commands", commands, FTH_SIM_VERBS);
    struct change *resources =
        fth_new((size_t)before->used_count + after->used_count + 1, sizeof *resources);
    uint32_t count = 0;
    for (uint32_t i = 0; i < before->used_count; i++) {
        const struct fth_sim_used *one = &before->used[i], *same = find_used(after, one->name);
        resources[count++] = (struct change){one->name, one->busy, same ? same->busy : 0};
    }
    for (uint32_t i = 0; i < after->used_count; i++)
        if (!find_used(before, after->used[i].name))
            resources[count++] = (struct change){after->used[i].name, 0, after->used[i].busy};
    add_part(table, "resources", resources, count);
    free(resources);
    return table;
}

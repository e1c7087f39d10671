/* Steps by who started them and by when they ended, and then searched in halves. */
#include "workflow/graph/time_order.h"

#include "base/keyed.h"
#include "base/memory.h"
#include "workflow/graph/step_groups.h"

#include <string.h>

struct ending {
    uint32_t key, step;
    int64_t end;
};

static int by_key_and_end(const void *one, const void *other)
{
    const struct ending *a = one, *b = other;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* The step of this key that ended last before `start`. */
static uint32_t one_before(const struct ending *endings, uint32_t count, uint32_t key,
                           int64_t start)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct ending *ending = &endings[middle];
        if (ending->key < key || (ending->key == key && ending->end <= start))
            low = middle + 1;
        else
            high = middle;
    }
    return low && endings[low - 1].key == key ? endings[low - 1].step : FTH_NO_STEP;
}

/* A number for each group and node. */
static uint32_t *places_of(const struct fth_workflow *workflow, uint32_t *groups)
{
    struct fth_keyed numbers = {.size = sizeof(uint32_t)};
    uint32_t *places = fth_new((size_t)workflow->step_count + 1, sizeof *places), count = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        char *key = fth_text_format("%u %s", fth_step_group(groups, i), workflow->steps[i].host);
        uint32_t *number = fth_keyed_get(&numbers, key, strlen(key));
        free(key);
        if (!*number)
            *number = ++count;
        places[i] = *number;
    }
    fth_keyed_free(&numbers);
    return places;
}

static void look_before(const struct fth_workflow *workflow, const uint32_t *keys, uint32_t *before)
{
    struct ending *endings = fth_new((size_t)workflow->step_count + 1, sizeof *endings);
    uint32_t count = 0;
    for (uint32_t i = 0; i < workflow->step_count; i++)
        if (!workflow->steps[i].is_script && keys[i] != FTH_NO_STEP)
            endings[count++] = (struct ending){keys[i], i, workflow->steps[i].end};
    qsort(endings, count, sizeof *endings, by_key_and_end);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        if (workflow->steps[i].is_script || keys[i] == FTH_NO_STEP || before[i] != FTH_NO_STEP)
            continue;
        uint32_t found = one_before(endings, count, keys[i], workflow->steps[i].start);
        before[i] = found == i ? FTH_NO_STEP : found;
    }
    free(endings);
}

uint32_t *fth_steps_before(const struct fth_workflow *workflow, uint32_t *groups)
{
    uint32_t *before = fth_new((size_t)workflow->step_count + 1, sizeof *before),
             *scripts = fth_new((size_t)workflow->step_count + 1, sizeof *scripts),
             *places = places_of(workflow, groups);
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        before[i] = FTH_NO_STEP;
        scripts[i] = workflow->steps[i].script;
    }
    look_before(workflow, scripts, before);
    look_before(workflow, places, before);
    free(scripts);
    free(places);
    return before;
}

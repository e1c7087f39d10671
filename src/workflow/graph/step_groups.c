/* Each step points to a lower one of its group (union-find, with halved ways). */
#include "workflow/graph/step_groups.h"

#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

uint32_t fth_step_group(uint32_t *groups, uint32_t step)
{
    while (groups[step] != step) {
        groups[step] = groups[groups[step]];
        step = groups[step];
    }
    return step;
}

void fth_step_groups_join(uint32_t *groups, uint32_t one, uint32_t other)
{
    uint32_t a = fth_step_group(groups, one), b = fth_step_group(groups, other);
    groups[a > b ? a : b] = a > b ? b : a;
}

uint32_t *fth_step_groups_new(const struct fth_workflow *workflow)
{
    uint32_t *groups = fth_new((size_t)workflow->step_count + 1, sizeof *groups);
    struct fth_keyed first = {.size = sizeof(uint32_t)};
    for (uint32_t i = 0; i < workflow->step_count; i++)
        groups[i] = i;
    for (uint32_t i = 0; i < workflow->step_count; i++) {
        const char *names[] = {workflow->steps[i].trace, workflow->steps[i].job};
        for (size_t k = 0; k < 2; k++) {
            if (!names[k])
                continue;
            uint32_t *place = fth_keyed_get(&first, names[k], strlen(names[k]));
            if (*place)
                fth_step_groups_join(groups, *place - 1, i);
            else
                *place = i + 1;
        }
    }
    fth_keyed_free(&first);
    return groups;
}

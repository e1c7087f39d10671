#include "cmd/shared/actions.h"

#include "base/nearest.h"
#include "cmd/shared/command.h"

#include <stdint.h>
#include <string.h>

size_t fth_cmd_action(struct argp_state *state, const char *word, const char *const *names,
                      const char *choice)
{
    const char *nearest = NULL;
    size_t least = SIZE_MAX, number = 0;
    for (; names[number]; number++) {
        if (!strcmp(word, names[number]))
            return number;
        if (fth_is_nearer(word, names[number], &least))
            nearest = names[number];
    }
    if (nearest)
        fth_cmd_wrong(state, "there is no action '%s'; did you mean '%s'?", word, nearest);
    fth_cmd_wrong(state, "there is no action '%s': choose %s", word, choice);
    return number; /* not reached: fth_cmd_wrong ends the program */
}

/* An open hash table with the keys in it: one place of memory is enough to find a name. */
#include "trace/names/known_names.h"

#include "base/memory.h"

static struct fth_known_name *place_of(const struct fth_known_names *names,
                                       const struct fth_template *template, int64_t number)
{
    uint64_t mixed = ((uint64_t)number ^ (uintptr_t) template << 20) * 0x9E3779B97F4A7C15u;
    uint32_t mask = names->room - 1, at = (uint32_t)(mixed >> 32) & mask;
    while (names->places[at].template &&
           (names->places[at].template != template || names->places[at].number != number))
        at = (at + 1) & mask;
    return &names->places[at];
}

static void grow(struct fth_known_names *names)
{
    struct fth_known_names old = *names;
    names->room = old.room ? 2 * old.room : 16;
    names->places = fth_new_table(names->room, sizeof *names->places);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.places[i].template)
            *place_of(names, old.places[i].template, old.places[i].number) = old.places[i];
    free(old.places);
}

uint32_t *fth_known_name(struct fth_known_names *names, const struct fth_template *template,
                         int64_t number)
{
    if (names->count * 2 >= names->room)
        grow(names);
    struct fth_known_name *place = place_of(names, template, number);
    if (!place->template) {
        *place = (struct fth_known_name){template, number, 0};
        names->count++;
    }
    return &place->text;
}

void fth_known_names_free(struct fth_known_names *names)
{
    free(names->places);
    *names = (struct fth_known_names){0};
}

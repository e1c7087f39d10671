/* Places of values that have become literal. */
#include "trace/file/numbers_apart.h"

/* Values of one function are distinguished by the handle that the call is about, names by what they
 * are but for their numbers. */
struct place {
    uint32_t function, value;
    int64_t about;
};

static struct place place_of(const struct fth_value_plan *plan,
                             const struct fth_signature *signature, unsigned value)
{
    struct place place = {.function = signature->function, .value = value};
    if (fth_is_name(plan[value].part)) {
        place.about = signature->values[value];
        return place;
    }
    unsigned slot = 0;
    while (slot < signature->count && plan[slot].part != FTH_PART_SLOT)
        slot++;
    if (slot < signature->count && slot != value)
        place.about = signature->values[slot];
    return place;
}

void fth_apart_find(struct fth_apart_places *apart, const struct fth_catalog *catalog,
                    const struct fth_part_process *process)
{
    *apart = (struct fth_apart_places){0};
    for (uint32_t i = 0; i < process->signature_count; i++) {
        const struct fth_signature *signature = &process->signatures[i];
        struct fth_value_plan plan[FTH_MOST_VALUES];
        if (!signature->mask)
            continue;
        fth_plan_values(catalog, &catalog->rows[signature->function], plan);
        for (uint32_t mask = signature->mask; mask; mask &= mask - 1) {
            struct place place = place_of(plan, signature, (unsigned)__builtin_ctz(mask));
            fth_intern(&apart->places, &place, sizeof place);
        }
    }
}

uint32_t fth_apart_values(const struct fth_apart_places *apart, const struct fth_value_plan *plan,
                          const struct fth_signature *signature)
{
    uint32_t values = 0;
    for (unsigned i = 0; i < signature->count && apart->places.count; i++) {
        struct place place = place_of(plan, signature, i);
        if (!(signature->mask >> i & 1) &&
            fth_interned_before(&apart->places, &place, sizeof place))
            values |= 1u << i;
    }
    return values;
}

void fth_apart_free(struct fth_apart_places *apart)
{
    fth_intern_free(&apart->places);
}

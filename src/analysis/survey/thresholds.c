/* The table of thresholds. */
#include "analysis/survey/thresholds.h"

#include <string.h>

static const struct fth_threshold_facts facts[] = {
#define FACTS(name, word, unit, value, meaning) {word, FTH_THRESHOLD_##unit, value, meaning},
    FTH_THRESHOLDS(FACTS)
#undef FACTS
};

const struct fth_threshold_facts *fth_threshold_facts(enum fth_threshold threshold)
{
    return &facts[threshold];
}

size_t fth_threshold_find(const char *name, size_t length)
{
    for (size_t i = 0; i < FTH_THRESHOLD_COUNT; i++)
        if (strlen(facts[i].name) == length && memcmp(facts[i].name, name, length) == 0)
            return i;
    return SIZE_MAX;
}

void fth_thresholds_init(struct fth_thresholds *thresholds)
{
    for (size_t i = 0; i < FTH_THRESHOLD_COUNT; i++)
        thresholds->values[i] = facts[i].value;
}

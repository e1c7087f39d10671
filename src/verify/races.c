#include "verify/races.h"

#include "base/memory.h"
#include "verify/groups.h"

#include <string.h>

/* Calls on one name that are held against each other; where there are more, the last ones are left out, and the verdict says so. */
enum { MOST_OF_A_NAME = 4096 };

struct races {
    struct fth_verdict *verdict;
    const struct fth_deeds *deeds;
    const struct fth_runs *runs;
    struct fth_intern keys; /* of struct key: numbers of groups */
};

struct key {
    uint32_t first_chain, second_chain, first_kind, second_kind;
};

/* Does it matter which of two calls on one name comes first? Making a name that may be there commutes with making it so again; so do two truncations, and truncating
 * and opening. */
static bool depend_on_order(enum fth_touch_kind a, enum fth_touch_kind b)
{
    if (a > b)
        return depend_on_order(b, a);
    switch (a) {
    case FTH_TOUCH_SIZE:
        return b == FTH_TOUCH_TRUNCATE || b == FTH_TOUCH_APPEND;
    case FTH_TOUCH_LOOK:
        return b >= FTH_TOUCH_MAKE && b != FTH_TOUCH_APPEND;
    case FTH_TOUCH_OPEN:
        return b >= FTH_TOUCH_MAKE && b < FTH_TOUCH_TRUNCATE;
    case FTH_TOUCH_LIST:
        return false; /* of the folder itself; what is in it is compared elsewhere */
    case FTH_TOUCH_MAKE:
        return b == FTH_TOUCH_MAKE_NEW || b == FTH_TOUCH_REMOVE;
    case FTH_TOUCH_MAKE_NEW:
    case FTH_TOUCH_REMOVE:
        return b < FTH_TOUCH_TRUNCATE || (b == FTH_TOUCH_TRUNCATE && a == FTH_TOUCH_REMOVE);
    case FTH_TOUCH_TRUNCATE: /* against appends these are accesses */
    case FTH_TOUCH_APPEND:
        return false;
    }
    return false;
}

static bool are_ordered(const struct races *races, const struct fth_touch *a,
                        const struct fth_touch *b)
{
    return fth_runs_before(races->runs, a->moment, b->moment) ||
           fth_runs_before(races->runs, b->moment, a->moment);
}

static struct fth_verdict_access access_of(const struct fth_touch *touch)
{
    return (struct fth_verdict_access){.proc = touch->proc,
                                       .thread = touch->thread,
                                       .call = touch->call,
                                       .chain = touch->chain,
                                       .writes = touch->kind >= FTH_TOUCH_MAKE,
                                       .start = touch->start,
                                       .end = touch->end};
}

static void add_race(struct races *races, const struct fth_touch *a, const struct fth_touch *b)
{
    struct fth_verdict *verdict = races->verdict;
    const struct fth_touch *first = a->start <= b->start ? a : b, *second = first == a ? b : a;
    struct key key = {first->chain, second->chain, first->kind, second->kind};
    uint32_t at = fth_intern(&races->keys, &key, sizeof key);
    if (at == verdict->race_group_count) {
        size_t length;
        /* Of a listing the name is what changes in the folder. */
        uint32_t name = first->kind == FTH_TOUCH_LIST ? second->name : first->name;
        FTH_GROW(verdict->race_groups, verdict->race_group_count);
        verdict->race_groups[verdict->race_group_count++] =
            (struct fth_verdict_race){.name = fth_deeds_name(races->deeds, name, &length),
                                      .first = access_of(first),
                                      .second = access_of(second)};
    }
    uint64_t pairs = a->times * b->times;
    verdict->race_groups[at].pairs += pairs;
    verdict->races += pairs;
}

static void compare(struct races *races, const struct fth_touch *a, const struct fth_touch *b)
{
    if (a->proc != b->proc && !(a->together && b->together) && !are_ordered(races, a, b))
        add_race(races, a, b);
}

/* ---- names, and folders with what is in them ---- */

static const char *name_at(const struct races *races, const struct fth_touch *touch)
{
    size_t length;
    return fth_deeds_name(races->deeds, touch->name, &length);
}

static int by_name(const void *a, const void *b, void *context)
{
    const struct fth_touch *one = *(struct fth_touch *const *)a;
    const struct fth_touch *other = *(struct fth_touch *const *)b;
    int order = strcmp(name_at(context, one), name_at(context, other));
    if (order)
        return order;
    if (one->proc != other->proc)
        return one->proc < other->proc ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static void compare_name(struct races *races, const struct fth_touch **touches, size_t count)
{
    if (count > MOST_OF_A_NAME)
        count = MOST_OF_A_NAME;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            if (touches[i]->proc != touches[j]->proc &&
                depend_on_order(touches[i]->kind, touches[j]->kind))
                compare(races, touches[i], touches[j]);
}

static bool changes_folder(const struct fth_touch *touch)
{
    return touch->kind == FTH_TOUCH_MAKE || touch->kind == FTH_TOUCH_MAKE_NEW ||
           touch->kind == FTH_TOUCH_REMOVE;
}

/* Names directly in the folder of a listing follow it in order of names, with others in between ("a-b" comes before "a/b"). */
static void compare_listing(struct races *races, const struct fth_touch **touches, size_t count,
                            size_t at)
{
    const char *folder = name_at(races, touches[at]);
    size_t length = strlen(folder), compared = 0;
    for (size_t i = at + 1; i < count && compared < MOST_OF_A_NAME; i++) {
        const char *name = name_at(races, touches[i]);
        if (strncmp(name, folder, length) != 0)
            return;
        if (name[length] != '/' || strchr(name + length + 1, '/') || !changes_folder(touches[i]))
            continue;
        compare(races, touches[at], touches[i]);
        compared++;
    }
}

static int most_first(const void *a, const void *b)
{
    const struct fth_verdict_race *one = a, *other = b;
    if (one->pairs != other->pairs)
        return one->pairs > other->pairs ? -1 : 1;
    int order = strcmp(one->name, other->name);
    order = order ? order : fth_verdict_access_order(&one->first, &other->first);
    return order ? order : fth_verdict_access_order(&one->second, &other->second);
}

void fth_races_find(struct fth_verdict *verdict, const struct fth_deeds *deeds,
                    const struct fth_runs *runs)
{
    struct races races = {.verdict = verdict, .deeds = deeds, .runs = runs};
    size_t count = deeds->touch_count;
    const struct fth_touch **touches = fth_new(count + 1, sizeof *touches);
    for (size_t i = 0; i < count; i++)
        touches[i] = &deeds->touches[i];
    qsort_r(touches, count, sizeof *touches, by_name, &races);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && touches[end]->name == touches[i]->name; end++)
            ;
        compare_name(&races, touches + i, end - i);
        for (size_t j = i; j < end; j++)
            if (touches[j]->kind == FTH_TOUCH_LIST)
                compare_listing(&races, touches, count, j);
    }
    free(touches);
    fth_intern_free(&races.keys);
    if (verdict->race_group_count)
        qsort(verdict->race_groups, verdict->race_group_count, sizeof *verdict->race_groups,
              most_first);
}

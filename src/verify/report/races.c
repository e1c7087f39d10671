/* Each pair of calls on one name, up to a limit: does the result depend on the order, and is there
 * none? */
#include "verify/report/races.h"

#include "base/memory.h"
#include "order/imported.h"
#include "trace/program/hides.h"
#include "verify/gather/name_history.h"
#include "verify/report/race_groups.h"

#include <string.h>

/* Calls on one name that are held against each other, and such that are looked at for one that
 * settles what another one finds; where there are more, the last ones are left out. */
enum { MOST_OF_A_NAME = 4096, MOST_WITNESSES = 64 };

/* Calls on one name. */
struct named {
    const struct fth_touch **touches;
    size_t count;
    enum { NOT_ASKED, SETTLED, OPEN } * settled; /* by place: see is_settled */
    bool *placed; /* by place: another one's size says where an access of its process goes */
    bool is_made; /* somebody makes the file, or cuts it off */
};

struct races {
    struct fth_verdict *verdict;
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    bool *hides_order; /* by run: what is unordered in it may have been ordered */
    struct fth_race_groups *groups;
};

/* ---- what depends on the order ---- */

/* Does it matter for a name which of two calls comes first? Creating one that may be there commutes
 * with creating it so again. */
static bool depend_by_name(enum fth_touch_kind a, enum fth_touch_kind b)
{
    if (a > b)
        return depend_by_name(b, a);
    switch (a) {
    case FTH_TOUCH_LOOK:
    case FTH_TOUCH_OPEN:
        return b >= FTH_TOUCH_MAKE && b <= FTH_TOUCH_REMOVE;
    case FTH_TOUCH_MAKE:
        return b == FTH_TOUCH_MAKE_NEW || b == FTH_TOUCH_REMOVE;
    case FTH_TOUCH_MAKE_NEW:
        return b <= FTH_TOUCH_REMOVE;
    case FTH_TOUCH_REMOVE: /* a file that is open is cut off whatever its name is */
        return b == FTH_TOUCH_REMOVE;
    default: /* a listing is no matter of the folder's own name; sizes are compared elsewhere */
        return false;
    }
}

static bool changes_size(const struct fth_touch *touch)
{
    return touch->cuts || touch->kind >= FTH_TOUCH_TRUNCATE;
}

static bool depend_on_name(const struct fth_touch *a, const struct fth_touch *b)
{
    return depend_by_name(a->kind, b->kind) ||
           (a->kind == FTH_TOUCH_REMOVE && b->kind == FTH_TOUCH_TRUNCATE && b->by_name) ||
           (b->kind == FTH_TOUCH_REMOVE && a->kind == FTH_TOUCH_TRUNCATE && a->by_name);
}

static bool depend_on_size(const struct fth_touch *a, const struct fth_touch *b)
{
    return (a->asks_size && changes_size(b)) || (b->asks_size && changes_size(a));
}

static bool depend_on_order(const struct fth_touch *a, const struct fth_touch *b)
{
    return depend_on_name(a, b) || depend_on_size(a, b);
}

/* ---- order ---- */

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

static void add_race(struct races *races, const struct fth_touch *a, const struct fth_touch *b,
                     bool of_name, bool of_size)
{
    const struct fth_touch *first = a->start <= b->start ? a : b, *second = first == a ? b : a;
    bool lists = a->kind == FTH_TOUCH_LIST || b->kind == FTH_TOUCH_LIST;
    /* Of a listing the name is what changes in the folder. */
    uint32_t name = first->kind == FTH_TOUCH_LIST ? second->name : first->name;
    struct fth_verdict_race race = {.listing = lists,
                                    .of_names = of_name,
                                    .of_sizes = of_size,
                                    .pairs = a->times * b->times,
                                    .first = access_of(first),
                                    .second = access_of(second)};
    fth_race_groups_add(races->groups, name, &race);
    races->verdict->races += race.pairs;
}

static bool are_of_one_thread(const struct fth_touch *a, const struct fth_touch *b)
{
    return a->proc == b->proc && a->thread == b->thread;
}

static bool may_race(const struct races *races, const struct fth_touch *a,
                     const struct fth_touch *b)
{
    const uint32_t *run_of = races->runs->run_of_proc;
    bool is_hidden = run_of[a->proc] == run_of[b->proc] && races->hides_order[run_of[a->proc]];
    return !are_of_one_thread(a, b) && !is_hidden && !(a->together && b->together) &&
           !are_ordered(races, a, b);
}

/* ---- what is so in any order ---- */

/* Does `witness`, if it came before, show that the name is there for `touch`, or that the file is
 * as long as `touch` makes it? */
static bool shows(const struct fth_touch *witness, const struct fth_touch *touch)
{
    if (touch->kind == FTH_TOUCH_MAKE)
        return witness->is_there;
    return (witness->kind == FTH_TOUCH_LENGTHEN || witness->kind == FTH_TOUCH_TRUNCATE) &&
           witness->extent >= touch->extent;
}

static bool undoes(const struct fth_touch *other, const struct fth_touch *touch)
{
    if (other->kind == FTH_TOUCH_REMOVE)
        return !other->is_there || touch->kind != FTH_TOUCH_MAKE;
    return touch->kind == FTH_TOUCH_LENGTHEN &&
           (other->cuts || (other->kind == FTH_TOUCH_TRUNCATE && other->extent < touch->extent));
}

static bool holds_until(const struct races *races, const struct named *named,
                        const struct fth_touch *witness, const struct fth_touch *touch)
{
    for (size_t i = 0; i < named->count; i++) {
        const struct fth_touch *other = named->touches[i];
        if (other != touch && undoes(other, touch) &&
            !fth_touch_came_before(races->runs, other, witness) &&
            !fth_touch_came_before(races->runs, touch, other))
            return false;
    }
    return true;
}

static bool find_witness(const struct races *races, const struct named *named,
                         const struct fth_touch *touch)
{
    size_t asked = 0;
    for (size_t i = 0; i < named->count && asked < MOST_WITNESSES; i++) {
        const struct fth_touch *witness = named->touches[i];
        if (witness == touch || !shows(witness, touch))
            continue;
        asked++;
        if (fth_touch_came_before(races->runs, witness, touch) &&
            holds_until(races, named, witness, touch))
            return true;
    }
    return false;
}

/* Does a call that may make the file, or make it longer, change nothing, as it was so before? */
static bool is_settled(const struct races *races, const struct named *named, size_t at)
{
    const struct fth_touch *touch = named->touches[at];
    if (touch->kind == FTH_TOUCH_LENGTHEN && touch->unsure && !named->is_made)
        /* a file of unknown length, which the run did not make: written in its place */
        return true;
    if (touch->kind != FTH_TOUCH_MAKE && touch->kind != FTH_TOUCH_LENGTHEN)
        return false;
    if (named->settled[at] == NOT_ASKED)
        named->settled[at] = find_witness(races, named, touch) ? SETTLED : OPEN;
    return named->settled[at] == SETTLED;
}

/* The call as it is where the name was there, and long enough. */
static struct fth_touch as_settled(const struct races *races, const struct named *named, size_t at)
{
    struct fth_touch touch = *named->touches[at];
    if (is_settled(races, named, at))
        touch.kind = touch.kind == FTH_TOUCH_MAKE ? FTH_TOUCH_OPEN : FTH_TOUCH_SIZE;
    return touch;
}

/* ---- names, and folders with what is in them ---- */

static const char *name_at(const struct races *races, const struct fth_touch *touch)
{
    size_t length;
    return fth_run_accesses_name(races->accesses, touch->name, &length);
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

static bool makes(const struct fth_touch *touch)
{
    return touch->cuts || touch->kind == FTH_TOUCH_MAKE || touch->kind == FTH_TOUCH_MAKE_NEW ||
           touch->kind == FTH_TOUCH_TRUNCATE ||
           (touch->kind == FTH_TOUCH_REMOVE && touch->is_there);
}

static void compare_two(struct races *races, const struct named *named, size_t i, size_t j)
{
    const struct fth_touch *a = named->touches[i], *b = named->touches[j];
    bool of_threads = a->proc == b->proc; /* only where accesses go matters among those */
    if (are_of_one_thread(a, b) || (of_threads && !a->places && !b->places) ||
        !depend_on_order(a, b) || !may_race(races, a, b))
        return;
    struct fth_touch one = as_settled(races, named, i), other = as_settled(races, named, j);
    bool places_one = one.places && changes_size(&other);
    bool places_other = other.places && changes_size(&one);
    const char *unrecorded = of_threads && (places_one || places_other)
                                 ? fth_runs_lack_threads(races->runs, a->proc)
                                 : NULL;
    if (unrecorded)
        races->verdict->unrecorded_places = unrecorded;
    if (unrecorded || (of_threads && !places_one && !places_other))
        return;
    if (depend_on_order(&one, &other))
        add_race(races, a, b, depend_on_name(&one, &other), depend_on_size(&one, &other));
    named->placed[i] |= places_one;
    named->placed[j] |= places_other;
}

static void add_placed(struct races *races, const struct named *named)
{
    struct fth_verdict *verdict = races->verdict;
    struct fth_verdict_file file = {name_at(races, named->touches[0]), 0};
    for (size_t i = 0; i < named->count; i++)
        file.times += named->placed[i] ? named->touches[i]->times : 0;
    if (!file.times)
        return;
    FTH_GROW(verdict->placed_files, verdict->placed_file_count);
    verdict->placed_files[verdict->placed_file_count++] = file;
}

/* A recording has a relative name where the path of its folder is not known, as it is longer than a
 * path may be: which file that is, it does not say. */
static bool is_of_unknown_folder(const struct races *races, const struct fth_touch *touch)
{
    return *name_at(races, touch) != '/' &&
           !fth_order_imported(fth_runs_of(races->runs, touch->proc)->trace);
}

static void compare_name(struct races *races, const struct fth_touch **touches, size_t count)
{
    struct named named = {.touches = touches,
                          .count = count < MOST_OF_A_NAME ? count : MOST_OF_A_NAME};
    bool others = false;
    for (size_t i = 0; i < named.count; i++) {
        named.is_made |= makes(touches[i]);
        others |= !are_of_one_thread(touches[i], touches[0]);
    }
    if (!others || is_of_unknown_folder(races, touches[0]))
        return;
    named.settled = fth_new(named.count, sizeof *named.settled);
    named.placed = fth_new(named.count, sizeof *named.placed);
    for (size_t i = 0; i < named.count; i++)
        for (size_t j = i + 1; j < named.count; j++)
            compare_two(races, &named, i, j);
    add_placed(races, &named);
    free(named.settled);
    free(named.placed);
}

static bool changes_folder(const struct fth_touch *touch)
{
    return touch->kind == FTH_TOUCH_MAKE || touch->kind == FTH_TOUCH_MAKE_NEW ||
           touch->kind == FTH_TOUCH_REMOVE;
}

/* Names directly in the folder of a listing follow it in order of names, with others in between
 * ("a-b" comes before "a/b"). */
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
        if (touches[i]->proc != touches[at]->proc && may_race(races, touches[at], touches[i]))
            add_race(races, touches[at], touches[i], true, false);
        compared++;
    }
}

void fth_races_find(struct fth_verdict *verdict, const struct fth_run_accesses *accesses,
                    const struct fth_runs *runs)
{
    struct races races = {.verdict = verdict,
                          .accesses = accesses,
                          .runs = runs,
                          .hides_order = fth_new(runs->count + 1, sizeof(bool)),
                          .groups = fth_race_groups_new(accesses)};
    for (size_t i = 0; i < runs->count; i++) {
        const struct fth_trace_info *info = fth_trace_info(runs->runs[i].trace);
        races.hides_order[i] =
            fth_blind_spots_hide_order(info->blind_spots, info->blind_spot_count);
    }
    size_t count = accesses->touch_count;
    const struct fth_touch **touches = fth_new(count + 1, sizeof *touches);
    for (size_t i = 0; i < count; i++)
        touches[i] = &accesses->touches[i];
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
    free(races.hides_order);
    fth_race_groups_fill(races.groups, verdict);
}

#include "verify/groups.h"

#include "base/memory.h"
#include "base/sink.h"

#include <string.h>

const char *fth_hazard_text(enum fth_hazard hazard)
{
    static const char *const texts[] = {
        [FTH_READ_AFTER_WRITE] = "read after write",
        [FTH_WRITE_AFTER_WRITE] = "write after write",
        [FTH_WRITE_AFTER_READ] = "write after read",
        [FTH_READ_AND_WRITE] = "read and write in no order",
        [FTH_WRITE_AND_WRITE] = "two writes in no order",
    };
    return texts[hazard];
}

void fth_groups_open(struct fth_groups *groups, const struct fth_deeds *deeds)
{
    *groups = (struct fth_groups){.deeds = deeds};
}

void fth_groups_close(struct fth_groups *groups)
{
    fth_intern_free(&groups->keys);
    free(groups->sums);
}

/* Which of two is the example does not depend on who finds them first: threads take turns as it happens. */
static bool is_better_example(const struct fth_violation *one, const struct fth_violation *other)
{
    if (one->x != other->x)
        return one->x < other->x;
    if (one->y != other->y)
        return one->y < other->y;
    if (one->start != other->start)
        return one->start < other->start;
    if (one->x_call != other->x_call)
        return one->x_call < other->x_call;
    return one->y_call < other->y_call;
}

static void add(struct fth_group_sum *sum, const struct fth_violation *example, uint64_t pairs)
{
    if (!sum->pairs || is_better_example(example, &sum->example))
        sum->example = *example;
    sum->pairs += pairs;
}

/* The sum of this key; one without pairs, if it is new. */
static struct fth_group_sum *sum_of(struct fth_groups *groups, const struct fth_group_key *key)
{
    uint32_t count = groups->keys.count;
    if (count == 0 || memcmp(key, &groups->last_key, sizeof *key) != 0) {
        groups->last = fth_intern(&groups->keys, key, sizeof *key);
        groups->last_key = *key;
    }
    if (groups->last == count) {
        FTH_GROW(groups->sums, count);
        groups->sums[count] = (struct fth_group_sum){0};
    }
    return &groups->sums[groups->last];
}

void fth_groups_add(struct fth_groups *groups, uint64_t models,
                    const struct fth_violation *violation, uint64_t pairs)
{
    const struct fth_situation *situations = groups->deeds->situations;
    struct fth_group_key key = {models, situations[violation->x].opening,
                                situations[violation->x].chain, situations[violation->y].chain,
                                violation->hazard};
    add(sum_of(groups, &key), violation, pairs);
}

void fth_groups_join(struct fth_groups *groups, const struct fth_groups *more)
{
    for (uint32_t i = 0; i < more->keys.count; i++) {
        size_t length;
        struct fth_group_key key;
        memcpy(&key, fth_interned(&more->keys, i, &length), sizeof key);
        add(sum_of(groups, &key), &more->sums[i].example, more->sums[i].pairs);
    }
}

/* ---- what is missing, and what would repair it ---- */

/* Some of a set that a program can call: names that only the tracer or libc's headers use are left out. */
static void put_set(struct fth_sink *sink, const struct fth_consistency_set *set)
{
    enum { MOST = 3 };
    size_t told = 0;
    for (size_t i = 0; i < set->function_count && told < MOST; i++) {
        const char *name = set->functions[i];
        if (set->function_count > 1 && (*name == '_' || strncmp(name, "stdio_", 6) == 0))
            continue;
        fth_sink_text(sink, told++ ? ", " : "");
        fth_sink_text(sink, name);
    }
    fth_sink_text(sink, told < set->function_count ? " ..." : "");
}

static char *text_of(struct fth_sink *sink)
{
    fth_sink_char(sink, 0);
    char *text = fth_new(strlen(sink->bytes) + 1, 1);
    strcpy(text, sink->bytes);
    fth_sink_close_memory(sink);
    return text;
}

struct place {
    const struct fth_runs *runs;
    const struct fth_consistency *model;
    const struct fth_construct *construct;
    const struct fth_situation *x, *y;
    size_t step; /* that is missing */
};

/* Is a step, by where it stands in the construct, the first process's doing, or the second one's? */
static bool is_of_second(const struct fth_construct *construct, size_t step)
{
    for (size_t i = 0; i <= step && i < construct->step_count; i++)
        if (construct->steps[i].relation == FTH_HAPPENS_BEFORE)
            return true;
    return false;
}

/* What a step is: "close (fclose) of the file by rank 3". */
static void put_step(struct fth_sink *sink, const struct place *place, size_t step)
{
    const struct fth_consistency_set *set = &place->model->sets[place->construct->steps[step].set];
    fth_sink_text(sink, set->name);
    fth_sink_text(sink, " (");
    put_set(sink, set);
    fth_sink_text(sink, ") of the file by ");
    fth_runs_put_process(sink, place->runs,
                         is_of_second(place->construct, step) ? place->y->proc : place->x->proc);
}

static void put_missing(struct fth_sink *sink, const struct place *place)
{
    const struct fth_construct *construct = place->construct;
    if (!construct) {
        fth_sink_text(sink, "nothing makes what was written visible under this model");
        return;
    }
    fth_sink_text(sink, "no ");
    if (place->step < construct->step_count) {
        put_step(sink, place, place->step);
        fth_sink_text(sink, is_of_second(construct, place->step)
                                ? " after what the other one did, and before its own access"
                                : " after its access, and before the other one's");
        return;
    }
    for (size_t i = 0; i < construct->step_count; i++) {
        fth_sink_text(sink, i ? ", and then " : "");
        put_step(sink, place, i);
    }
    fth_sink_text(sink, construct->step_count > 1 ? ", in this order between the two accesses"
                                                  : " between the two accesses");
}

static void put_repair(struct fth_sink *sink, const struct place *place)
{
    const struct fth_construct *construct = place->construct;
    if (!construct) {
        fth_sink_text(sink, "use a file system with a stronger model");
        return;
    }
    if (construct->step_count == 0) {
        fth_sink_text(sink, "order the two calls");
        return;
    }
    for (size_t i = 0; i < construct->step_count; i++) {
        bool second = is_of_second(construct, i);
        const struct fth_consistency_set *set = &place->model->sets[construct->steps[i].set];
        if (i < place->step && place->step < construct->step_count)
            continue; /* is there */
        fth_sink_text(sink, sink->used ? ", and let " : "let ");
        fth_runs_put_process(sink, place->runs, second ? place->y->proc : place->x->proc);
        fth_sink_text(sink, " call one of ");
        put_set(sink, set);
        fth_sink_text(sink, second ? " before its access" : " after its access");
        if (i + 1 < construct->step_count && !second && is_of_second(construct, i + 1))
            fth_sink_text(sink, ", before a message or a barrier");
    }
    if (construct->last == FTH_HAPPENS_BEFORE)
        fth_sink_text(sink, ", and before the message or barrier that the other one waits for");
}

static void explain(struct fth_verdict_group *group, struct fth_judge *judge, size_t model,
                    const struct fth_runs *runs, const struct fth_violation *example)
{
    struct fth_sink missing, repair;
    struct place place = {.runs = runs,
                          .model = &judge->models->models[model],
                          .x = &judge->deeds->situations[example->x],
                          .y = &judge->deeds->situations[example->y]};
    fth_sink_open_memory(&missing);
    fth_sink_open_memory(&repair);
    if (example->ordered) {
        place.construct = fth_judge_missing(judge, model, place.x, place.y, &place.step);
        put_missing(&missing, &place);
        put_repair(&repair, &place);
    } else {
        place.construct = fth_judge_missing(judge, model, place.x, place.y, &place.step);
        fth_sink_text(&missing, "nothing orders the two calls");
        place.step = place.construct ? place.construct->step_count : 0;
        if (place.step)
            put_repair(&repair, &place);
        else
            fth_sink_text(&repair, "let a message or a barrier, sent after the first call, be "
                                   "received before the second one (of programs: wait for the "
                                   "first one to end)");
    }
    group->missing = text_of(&missing);
    group->repair = text_of(&repair);
}

/* ---- groups for people ---- */

static struct fth_verdict_access access_of(const struct fth_situation *situation, uint64_t call)
{
    return (struct fth_verdict_access){.proc = situation->proc,
                                       .thread = situation->thread,
                                       .call = call,
                                       .chain = situation->chain,
                                       .writes = situation->writes,
                                       .start = situation->start,
                                       .end = situation->end_time};
}

int fth_verdict_access_order(const struct fth_verdict_access *a, const struct fth_verdict_access *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->proc != b->proc)
        return a->proc < b->proc ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->call < b->call ? -1 : a->call > b->call;
}

static int most_first(const void *a, const void *b)
{
    const struct fth_verdict_group *one = a, *other = b;
    if (one->pairs != other->pairs)
        return one->pairs > other->pairs ? -1 : 1;
    int order = strcmp(one->file, other->file);
    if (order)
        return order;
    order = fth_verdict_access_order(&one->first, &other->first);
    return order ? order : fth_verdict_access_order(&one->second, &other->second);
}

/* Those of one model, whichever others they violate. */
static void choose(struct fth_groups *chosen, const struct fth_groups *groups, size_t model)
{
    for (uint32_t i = 0; i < groups->keys.count; i++) {
        struct fth_group_key key;
        size_t length;
        memcpy(&key, fth_interned(&groups->keys, i, &length), sizeof key);
        if (!(key.models >> model & 1))
            continue;
        key.models = 0;
        add(sum_of(chosen, &key), &groups->sums[i].example, groups->sums[i].pairs);
    }
}

void fth_groups_tell(const struct fth_groups *groups, size_t model, struct fth_verdict_model *told,
                     struct fth_judge *judge, const struct fth_runs *runs,
                     const struct fth_files *files)
{
    const struct fth_situation *situations = groups->deeds->situations;
    struct fth_groups chosen;
    fth_groups_open(&chosen, groups->deeds);
    choose(&chosen, groups, model);
    told->group_count = chosen.keys.count;
    told->groups = fth_new(told->group_count + 1, sizeof *told->groups);
    for (uint32_t i = 0; i < chosen.keys.count; i++) {
        size_t length;
        const struct fth_violation *example = &chosen.sums[i].example;
        uint32_t name = files->names[situations[example->x].opening];
        told->groups[i] = (struct fth_verdict_group){
            .file = fth_deeds_name(groups->deeds, name, &length),
            .hazard = example->hazard,
            .pairs = chosen.sums[i].pairs,
            .first = access_of(&situations[example->x], example->x_call),
            .second = access_of(&situations[example->y], example->y_call),
            .range_start = example->start,
            .range_end = example->end,
        };
        explain(&told->groups[i], judge, model, runs, example);
    }
    fth_groups_close(&chosen);
    if (told->group_count)
        qsort(told->groups, told->group_count, sizeof *told->groups, most_first);
}

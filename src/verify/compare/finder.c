/* Of two accesses of different processes that are in order, what the models say depends on what
 * they are like only (alike.h): of pairs that are alike the first one is judged, and the others are
 * added to it. */
#include "verify/compare/finder.h"

#include "base/memory.h"
#include "verify/compare/rows_apart.h"
#include "verify/gather/append_positions.h"

/* What was said of two situations. */
struct outcome {
    enum fth_hazard hazard;
    bool b_first; /* of the pair as it came */
    bool unsure;
    uint64_t racy; /* a bit for each model; their number is limited */
};

/* Pairs of situations that are like `a` and `b`; a == b: none. */
struct alike_pairs {
    uint32_t a, b;
    uint64_t pairs;   /* that were not counted yet */
    uint64_t example; /* of those: the two of the best one, as example_of; 0: none is needed */
    bool b_first;
};

/* What is seldom needed of them. */
struct alike_outcome {
    struct outcome outcome;
    struct fth_conflict example;
};

enum { ALIKE_BITS = 13 };
struct fth_alike_conflicts {
    struct alike_pairs pairs[1 << ALIKE_BITS];
    struct alike_outcome outcomes[1 << ALIKE_BITS];
    size_t used[1 << ALIKE_BITS]; /* places */
    size_t used_count;
};

/* ---- what the two are ---- */

/* Two writes to the end of the file: one stands for its bytes, the other one for where it found the
 * end. */
static bool are_appends(const struct fth_situation *a, const struct fth_situation *b)
{
    return fth_is_append(a) && fth_is_append(b);
}

/* What was accessed through a shared file pointer is not accessed through it again, until it is
 * set. */
static bool take_turns(const struct fth_finder *finder, const struct fth_situation *a,
                       const struct fth_situation *b)
{
    return a->by_shared_pointer && a->by_shared_pointer == b->by_shared_pointer &&
           fth_carriers_opened_together(finder->judge.carriers, a, b);
}

/* That an append depends on one that wrote before it does not depend on where that went. */
static bool is_unsure(const struct fth_situation *a, const struct fth_situation *b)
{
    bool end_and_append = are_appends(a, b) && a->region != b->region;
    return !end_and_append && (a->unsure || b->unsure);
}

static bool is_wanted(const struct fth_finder *finder, size_t model)
{
    return finder->comparing->model_layers[model] == finder->layers;
}

/* Would they be synchronized under the model by what the judge knows, which is more? */
static bool would_be_synchronized(struct fth_judge *judge, size_t model, bool ordered,
                                  const struct fth_situation *x, const struct fth_situation *y)
{
    if (!ordered) {
        enum fth_precedence precedence = fth_judge_precedence(judge, x, y);
        if (precedence == FTH_UNORDERED_PAIR)
            return false;
        if (precedence == FTH_SECOND_IS_FIRST)
            return fth_judge_synchronized(judge, model, y, x);
    }
    return fth_judge_synchronized(judge, model, x, y);
}

/* Is there anything to be asked for whether collective calls matter? */
static bool asks_synchronized(struct fth_finder *finder)
{
    const struct fth_comparing *comparing = finder->comparing;
    if (!finder->has_violation) {
        const struct fth_judge *judge = comparing->synchronized(comparing->context);
        finder->has_violation = true;
        finder->is_synchronized = judge;
        if (judge)
            finder->synchronized = fth_judge_of_thread(judge, finder->thread);
    }
    return finder->is_synchronized && !finder->collectives_matter;
}

void fth_finder_ask(void *context, uint32_t x, uint32_t y, bool ordered)
{
    struct fth_finder *finder = context;
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    if (asks_synchronized(finder))
        finder->collectives_matter = would_be_synchronized(&finder->synchronized, 0, ordered,
                                                           &situations[x], &situations[y]);
}

/* ---- pairs that are alike ---- */

static size_t place_of_alike(uint32_t a, uint32_t b)
{
    return (a * 0x9e3779b1u ^ b * 0x85ebca6bu) >> (32 - ALIKE_BITS);
}

static size_t place_of_conflict(const struct fth_finder *finder,
                                const struct fth_conflict *conflict)
{
    return place_of_alike(finder->alike->of[conflict->a], finder->alike->of[conflict->b]);
}

/* Who is first in the order of examples has the lower number. */
static uint64_t example_of(const struct fth_conflict *conflict, bool b_first)
{
    return b_first ? (uint64_t)conflict->b << 32 | conflict->a
                   : (uint64_t)conflict->a << 32 | conflict->b;
}

static struct fth_violation violation_of(const struct fth_finder *finder,
                                         const struct fth_conflict *conflict,
                                         const struct outcome *outcome)
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    uint64_t call_a = fth_call_since(&situations[conflict->a], conflict->call_a);
    uint64_t call_b = fth_call_since(&situations[conflict->b], conflict->call_b);
    return (struct fth_violation){.x = outcome->b_first ? conflict->b : conflict->a,
                                  .y = outcome->b_first ? conflict->a : conflict->b,
                                  .x_call = outcome->b_first ? call_b : call_a,
                                  .y_call = outcome->b_first ? call_a : call_b,
                                  .start = conflict->start,
                                  .end = conflict->end,
                                  .ordered = true,
                                  .unsure = outcome->unsure,
                                  .hazard = outcome->hazard};
}

/* Counts those that were added. */
static void settle_alike(struct fth_finder *finder, size_t place)
{
    struct alike_pairs *alike = &finder->judged->pairs[place];
    const struct outcome *outcome = &finder->judged->outcomes[place].outcome;
    if (!alike->pairs)
        return;
    for (size_t i = 0; i < finder->comparing->models->count; i++) {
        struct fth_verdict_model *model = &finder->counts[i];
        if (!is_wanted(finder, i))
            continue;
        model->conflict_pairs += alike->pairs;
        model->hazards[outcome->hazard] += alike->pairs;
        if (outcome->racy >> i & 1)
            *(outcome->unsure ? &model->unsure : &model->violations) += alike->pairs;
    }
    if (outcome->racy) {
        struct fth_violation violation =
            violation_of(finder, &finder->judged->outcomes[place].example, outcome);
        fth_groups_add(&finder->groups, outcome->racy, &violation, alike->pairs);
    }
    alike->pairs = 0;
    alike->example = outcome->racy ? UINT64_MAX : 0;
}

static void keep_better_example(struct fth_finder *finder, struct alike_outcome *alike,
                                const struct fth_conflict *conflict)
{
    struct fth_violation one = violation_of(finder, conflict, &alike->outcome);
    struct fth_violation other = violation_of(finder, &alike->example, &alike->outcome);
    if (fth_violation_is_better_example(&one, &other))
        alike->example = *conflict;
}

/* Adds the conflict to those that are like it, if one was judged. */
static bool add_to_alike(struct fth_finder *finder, const struct fth_conflict *conflict)
{
    const uint32_t *of = finder->alike->of;
    uint32_t a = of[conflict->a], b = of[conflict->b];
    size_t place = place_of_alike(a, b);
    struct alike_pairs *alike = &finder->judged->pairs[place];
    if (a == b || alike->a != a || alike->b != b)
        return false;
    alike->pairs += conflict->pairs;
    uint64_t example = example_of(conflict, alike->b_first);
    if (example < alike->example) {
        alike->example = example;
        finder->judged->outcomes[place].example = *conflict;
    } else if (example == alike->example)
        keep_better_example(finder, &finder->judged->outcomes[place], conflict);
    return true;
}

/* What was said of the conflict is said of all that are like it. */
static void remember(struct fth_finder *finder, const struct fth_conflict *conflict,
                     const struct outcome *outcome)
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    const struct fth_situation *a = &situations[conflict->a], *b = &situations[conflict->b];
    const uint32_t *of = finder->alike->of;
    if (a->region != FTH_REGION_BYTES || b->region != FTH_REGION_BYTES)
        return;
    if ((outcome->racy & 1) && !outcome->unsure && asks_synchronized(finder))
        return; /* each is to be asked for */
    size_t place = place_of_alike(of[conflict->a], of[conflict->b]);
    settle_alike(finder, place);
    if (finder->judged->pairs[place].a == finder->judged->pairs[place].b)
        finder->judged->used[finder->judged->used_count++] = place;
    finder->judged->pairs[place] = (struct alike_pairs){
        of[conflict->a], of[conflict->b], 0, outcome->racy ? UINT64_MAX : 0, outcome->b_first};
    finder->judged->outcomes[place].outcome = *outcome;
}

/* ---- one conflict ---- */

static void judge_conflict(struct fth_finder *finder, const struct fth_conflict *conflict)
{
    const struct fth_comparing *comparing = finder->comparing;
    const struct fth_situation *situations = comparing->accesses->situations;
    const struct fth_situation *a = &situations[conflict->a], *b = &situations[conflict->b];
    if (a->contents && a->contents == b->contents && a->proc != b->proc) {
        for (size_t i = 0; i < comparing->models->count; i++)
            if (is_wanted(finder, i))
                finder->counts[i].equal_pairs += conflict->pairs;
        return;
    }
    enum fth_precedence precedence = fth_judge_precedence(&finder->judge, a, b);
    bool ordered = precedence != FTH_UNORDERED_PAIR;
    if (take_turns(finder, a, b) || !fth_append_positions_is_pair(a, b, precedence))
        return;
    bool b_first = ordered ? precedence == FTH_SECOND_IS_FIRST : b->start < a->start;
    struct outcome outcome = {.hazard = b_first ? fth_hazard_of(b, a, ordered)
                                                : fth_hazard_of(a, b, ordered),
                              .b_first = b_first,
                              .unsure = is_unsure(a, b)};
    struct fth_violation violation = violation_of(finder, conflict, &outcome);
    violation.ordered = ordered;
    if (a->proc == b->proc)
        fth_alone_judge(&finder->alone, conflict, violation);
    uint64_t doubtful = 0, threads = 0;
    for (size_t i = 0; i < comparing->models->count; i++) {
        struct fth_verdict_model *model = &finder->counts[i];
        if (!is_wanted(finder, i))
            continue;
        if (a->proc == b->proc) {
            model->same_process_pairs += conflict->pairs;
            model->unordered_in_process += ordered ? 0 : conflict->pairs;
            threads |= ordered ? 0 : (uint64_t)1 << i;
            continue;
        }
        model->conflict_pairs += conflict->pairs;
        model->hazards[violation.hazard] += conflict->pairs;
        if (ordered && fth_judge_synchronized(&finder->judge, i, &situations[violation.x],
                                              &situations[violation.y]))
            continue;
        if (!ordered && comparing->models->models[i].atomic_appends && are_appends(a, b)) {
            model->unordered_appends += conflict->pairs;
            continue;
        }
        bool by_means = fth_means_are_missing(comparing->means, &situations[violation.x],
                                              &situations[violation.y]) ||
                        (comparing->possible &&
                         would_be_synchronized(&finder->possible, i, ordered,
                                               &situations[violation.x], &situations[violation.y]));
        bool unsure = violation.unsure || by_means;
        *(unsure ? &model->unsure : &model->violations) += conflict->pairs;
        model->by_means += by_means ? conflict->pairs : 0;
        *(by_means ? &doubtful : &outcome.racy) |= (uint64_t)1 << i;
    }
    if (outcome.racy)
        fth_groups_add(&finder->groups, outcome.racy, &violation, conflict->pairs);
    if ((outcome.racy & 1) && !violation.unsure)
        fth_finder_ask(finder, violation.x, violation.y, ordered);
    if (doubtful)
        violation.doubt =
            fth_means_between(comparing->means, &situations[violation.x], &situations[violation.y]);
    if (doubtful)
        fth_groups_add(&finder->groups, doubtful, &violation, conflict->pairs);
    violation.doubt = NULL;
    if (threads)
        fth_groups_add(&finder->threads, threads, &violation, conflict->pairs);
    if (a->proc != b->proc && ordered && !doubtful)
        remember(finder, conflict, &outcome);
}

/* Of those that wait keeps what is to be judged. */
static void add_waiting_to_alike(struct fth_finder *finder)
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    size_t kept = 0;
    for (size_t i = 0; i < finder->waiting_count; i++)
        __builtin_prefetch(&finder->judged->pairs[place_of_conflict(finder, &finder->waiting[i])]);
    for (size_t i = 0; i < finder->waiting_count; i++) {
        struct fth_conflict conflict = finder->waiting[i];
        if (add_to_alike(finder, &conflict))
            continue;
        finder->waiting[kept++] = conflict;
        fth_situation_fetch(&situations[conflict.a]);
        fth_situation_fetch(&situations[conflict.b]);
    }
    finder->waiting_count = kept;
}

static void fetch_waiting(const struct fth_finder *finder,
                          void (*fetch)(const struct fth_judge *, const struct fth_situation *))
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    for (size_t i = 0; i < finder->waiting_count; i++) {
        const struct fth_situation *a = &situations[finder->waiting[i].a],
                                   *b = &situations[finder->waiting[i].b];
        if (a->proc == b->proc)
            continue;
        fetch(&finder->judge, a);
        fetch(&finder->judge, b);
    }
}

static void judge_waiting(struct fth_finder *finder)
{
    add_waiting_to_alike(finder);
    fetch_waiting(finder, fth_judge_fetch);
    fetch_waiting(finder, fth_judge_fetch_reached);
    for (size_t i = 0; i < finder->waiting_count; i++)
        judge_conflict(finder, &finder->waiting[i]);
    finder->waiting_count = 0;
}

static void take_conflict(void *context, const struct fth_conflict *conflict)
{
    struct fth_finder *finder = context;
    finder->waiting[finder->waiting_count++] = *conflict;
    __builtin_prefetch(&finder->alike->of[conflict->a]);
    __builtin_prefetch(&finder->alike->of[conflict->b]);
    if (finder->waiting_count == FTH_AT_ONCE)
        judge_waiting(finder);
}

static void take_rows(void *context, const struct fth_conflict_rows *rows)
{
    struct fth_finder *finder = context;
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    const struct fth_situation *a = &situations[rows->a.units->situation],
                               *b = &situations[rows->b.units->situation];
    if (a->proc != b->proc)
        fth_rows_apart_judge(
            &(struct fth_rows_finder){finder->comparing, &finder->judge,
                                      finder->comparing->possible ? &finder->possible : NULL,
                                      finder->counts, &finder->groups, finder->layers,
                                      take_conflict, fth_finder_ask, finder},
            rows);
    else if (fth_append_positions_is_pair(a, b, FTH_FIRST_IS_FIRST))
        fth_alone_judge_rows(&finder->alone, rows, take_conflict, finder);
}

struct fth_conflict_listener fth_finder_listener(struct fth_finder *finder)
{
    return (struct fth_conflict_listener){take_conflict, take_rows, finder,
                                          fth_rows_apart_can_be_judged(finder->comparing)};
}

/* ---- from the first one to the last ---- */

void fth_finder_settle(struct fth_finder *finder)
{
    judge_waiting(finder);
    for (size_t i = 0; i < finder->judged->used_count; i++) {
        settle_alike(finder, finder->judged->used[i]);
        finder->judged->pairs[finder->judged->used[i]] = (struct alike_pairs){0};
    }
    finder->judged->used_count = 0;
}

void fth_finder_set_layers(struct fth_finder *finder, unsigned layers)
{
    if (layers == finder->layers)
        return;
    fth_finder_settle(finder);
    finder->layers = finder->alone.layers = layers;
}

void fth_finder_open(struct fth_finder *finder, const struct fth_comparing *comparing,
                     const struct fth_alike *alike, unsigned thread)
{
    finder->comparing = comparing;
    finder->thread = thread;
    finder->judge = fth_judge_of_thread(comparing->judge, thread);
    if (comparing->possible)
        finder->possible = fth_judge_of_thread(comparing->possible, thread);
    finder->counts = fth_new(comparing->models->count + 1, sizeof *finder->counts);
    for (size_t k = 0; k < comparing->models->count; k++)
        finder->counts[k].alone =
            fth_new(comparing->models->models[k].alone_count + 1, sizeof *finder->counts->alone);
    finder->alone = (struct fth_alone_finder){comparing, &finder->judge, finder->counts, 0};
    finder->alike = alike;
    finder->judged = fth_new(1, sizeof *finder->judged);
    fth_groups_open(&finder->groups, comparing->accesses);
    fth_groups_open(&finder->threads, comparing->accesses);
}

static void add_counts(struct fth_verdict_model *to, const struct fth_verdict_model *from)
{
    to->conflict_pairs += from->conflict_pairs;
    to->same_process_pairs += from->same_process_pairs;
    to->unordered_in_process += from->unordered_in_process;
    to->violations += from->violations;
    to->unsure += from->unsure;
    to->by_means += from->by_means;
    to->unordered_appends += from->unordered_appends;
    to->equal_pairs += from->equal_pairs;
    for (int i = 0; i < FTH_HAZARDS; i++) {
        to->hazards[i] += from->hazards[i];
        to->same_process[i] += from->same_process[i];
    }
}

bool fth_finder_close(struct fth_finder *finder, struct fth_verdict_model *verdicts,
                      struct fth_groups *groups, struct fth_groups *threads)
{
    const struct fth_consistencies *models = finder->comparing->models;
    fth_finder_settle(finder);
    for (size_t i = 0; i < models->count; i++) {
        add_counts(&verdicts[i], &finder->counts[i]);
        for (size_t k = 0; k < models->models[i].alone_count; k++)
            fth_alone_join(&verdicts[i].alone[k], &finder->counts[i].alone[k]);
        free(finder->counts[i].alone);
    }
    fth_groups_join(groups, &finder->groups);
    fth_groups_join(threads, &finder->threads);
    fth_groups_close(&finder->groups);
    fth_groups_close(&finder->threads);
    free(finder->judged);
    free(finder->counts);
    return finder->collectives_matter;
}

/* A search that takes few runs. First each mode (how accesses are made) is tried once, with what is
 * most promising beside it; then other sizes and numbers in the best mode; then the best choice
 * runs in pairs with the unchanged program. Each pair begins with the other of the two, so that
 * what drifts on the machine meets both alike. The run that made a choice the best is no part of
 * the test: it was chosen for being short (tune_verdict.c). */
#include "tune/tune.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLOWER = 5, AGAIN = 2, FINALISTS = 5 };
static const int64_t LEAST_LIMIT = INT64_C(20000000000); /* ns */
/* What is not shorter by this share in its one run is not worth pairs. */
static const double LEAST_GAIN = 0.03;

static int64_t limit_of(const struct fth_tune_search *search)
{
    int64_t most = SLOWER * search->unchanged[0];
    return most > LEAST_LIMIT ? most : LEAST_LIMIT;
}

static int run_unchanged(struct fth_tune_search *search, struct fth_error **error)
{
    int64_t time = 0;
    search->made++;
    if (search->measure(search->context, NULL, 0, &time, error) != FTH_TUNE_RAN)
        return -1;
    search->unchanged[search->unchanged_count++] = time;
    return 0;
}

/* *time 0: it was too slow, or refused. */
static int run_changed(struct fth_tune_search *search, struct fth_tune_choice *choice,
                       int64_t *time, struct fth_error **error)
{
    *time = 0;
    search->made++;
    struct fth_error *why = NULL;
    enum fth_tune_outcome outcome =
        search->measure(search->context, choice, limit_of(search), time, &why);
    if (outcome == FTH_TUNE_FAILED) {
        *error = why;
        return -1;
    }
    if (outcome == FTH_TUNE_TOO_SLOW)
        choice->too_slow = true;
    else if (outcome == FTH_TUNE_REFUSED && !choice->refused)
        choice->refused = fth_text_copy(fth_error_text(why));
    fth_error_free(why);
    if (outcome != FTH_TUNE_RAN)
        *time = 0;
    return 0;
}

static int try(struct fth_tune_search *search, struct fth_tune_choice *choice,
               struct fth_error **error)
{
    if (run_changed(search, choice, &choice->tried, error))
        return -1;
    if (choice->tried && (!search->best || choice->tried < search->best->tried))
        search->best = choice;
    return 0;
}

static bool is_tried(const struct fth_tune_choice *choice)
{
    return choice->tried || choice->too_slow || choice->refused;
}

/* What the simulation takes for the same as one that was tried. */
static bool is_alike(const struct fth_tune_choice *one, const struct fth_tune_choice *other)
{
    int64_t apart = one->simulated - other->simulated;
    return one->simulated >= 0 && other->simulated >= 0 && llabs(apart) <= one->simulated / 100;
}

enum newness { KNOWN_MODE, ALIKE, NEW };

static enum newness newness_of(const struct fth_tune_choices *choices,
                               const struct fth_tune_choice *choice)
{
    enum newness newness = NEW;
    for (size_t i = 0; i < choices->count; i++) {
        const struct fth_tune_choice *other = &choices->list[i];
        if (!is_tried(other))
            continue;
        if (other->mode == choice->mode)
            return KNOWN_MODE;
        if (is_alike(choice, other))
            newness = ALIKE;
    }
    return newness;
}

/* The most promising one of a mode of which none was tried; first of those that the simulation
 * takes for something else than what was tried. */
static struct fth_tune_choice *next_mode(struct fth_tune_choices *choices)
{
    for (enum newness wanted = NEW; wanted > KNOWN_MODE; wanted--)
        for (size_t i = 0; i < choices->count; i++)
            if (newness_of(choices, &choices->list[i]) == wanted)
                return &choices->list[i];
    return NULL;
}

/* The most promising one of the best mode. */
static struct fth_tune_choice *next_size(struct fth_tune_choices *choices,
                                         const struct fth_tune_choice *best)
{
    for (size_t i = 0; best && i < choices->count; i++)
        if (!is_tried(&choices->list[i]) && choices->list[i].mode == best->mode)
            return &choices->list[i];
    return NULL;
}

/* Of several runs that are left, one is for the sizes of the best mode. */
static int try_few(struct fth_tune_search *search, struct fth_tune_choices *choices,
                   struct fth_error **error)
{
    size_t last = search->runs - 2 * (size_t)FTH_TUNE_PAIRS,
           kept = last - search->made > 3 ? (last - search->made) / 4 : 0;
    struct fth_tune_choice *choice;
    while (search->made + kept < last && (choice = next_mode(choices)))
        if (try(search, choice, error))
            return -1;
    while (search->made < last && (choice = next_size(choices, search->best)))
        if (try(search, choice, error))
            return -1;
    return 0;
}

static int by_time(const void *one, const void *other)
{
    int64_t a = (*(struct fth_tune_choice *const *)one)->tried,
            b = (*(struct fth_tune_choice *const *)other)->tried;
    return (a > b) - (a < b);
}

/* The fastest of them run again; of each the median counts. */
static int try_again(struct fth_tune_search *search, struct fth_tune_choice **finalists,
                     size_t count, struct fth_error **error)
{
    search->best = NULL;
    for (size_t i = 0; i < count && i < FINALISTS; i++) {
        int64_t times[1 + AGAIN] = {finalists[i]->tried};
        for (size_t k = 1; k <= AGAIN; k++)
            if (run_changed(search, finalists[i], &times[k], error))
                return -1;
        int64_t low = times[0] < times[1] ? times[0] : times[1],
                high = times[0] < times[1] ? times[1] : times[0];
        finalists[i]->tried = times[2] < low ? low : times[2] > high ? high : times[2];
        if (!times[1] || !times[2])
            continue; /* it cannot be relied on */
        if (!search->best || finalists[i]->tried < search->best->tried)
            search->best = finalists[i];
    }
    return 0;
}

static int try_all(struct fth_tune_search *search, struct fth_tune_choices *choices,
                   struct fth_error **error)
{
    struct fth_tune_choice **finalists = calloc(choices->count + 1, sizeof *finalists);
    size_t count = 0;
    int result = finalists ? 0 : fth_fail(error, "out of memory");
    for (size_t i = 0; i < choices->count && !result; i++) {
        result = try(search, &choices->list[i], error);
        if (choices->list[i].tried)
            finalists[count++] = &choices->list[i];
    }
    if (!result) {
        qsort(finalists, count, sizeof *finalists, by_time);
        result = try_again(search, finalists, count, error);
    }
    free(finalists);
    return result;
}

static int run_pairs(struct fth_tune_search *search, struct fth_error **error)
{
    for (size_t pair = 0; pair < FTH_TUNE_PAIRS; pair++)
        for (size_t half = 0; half < 2; half++) {
            int64_t time = 1;
            bool is_changed = (pair + half) % 2;
            if (is_changed ? run_changed(search, search->best, &time, error)
                           : run_unchanged(search, error))
                return -1;
            if (is_changed && time)
                search->changed[search->changed_count++] = time;
            if (search->best->refused)
                return 0;
        }
    return 0;
}

int fth_tune_search(struct fth_tune_search *search, struct fth_tune_choices *choices,
                    struct fth_error **error)
{
    if (!choices->count)
        return 0;
    if (run_unchanged(search, error) ||
        (search->all ? try_all(search, choices, error) : try_few(search, choices, error)))
        return -1;
    if (!search->best ||
        (double)search->best->tried > (1 - LEAST_GAIN) * (double)search->unchanged[0])
        return 0;
    if (run_pairs(search, error))
        return -1;
    if (search->best->refused) {
        search->best = NULL;
        search->changed_count = 0;
    }
    return 0;
}

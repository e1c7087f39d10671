/* Goes from each opening back through the processes that its process comes from, to the one that
 * opened the file. */
#include "verify/gather/descriptions.h"

#include "base/memory.h"
#include "verify/gather/inherited_openings.h"

#include <string.h>

struct finding {
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct fth_descriptions *descriptions;
    uint32_t *sorted;               /* openings by process and name */
    bool *known;                    /* by opening */
    struct fth_intern from_outside; /* names of what nobody in the trace has opened, by run */
    uint32_t *outside;              /* numbers of descriptions, by number there */
};

static int by_process_and_name(const void *a, const void *b, void *context)
{
    const struct fth_opening *openings = context;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (openings[i].proc != openings[j].proc)
        return openings[i].proc < openings[j].proc ? -1 : 1;
    if (openings[i].name != openings[j].name)
        return openings[i].name < openings[j].name ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* The first of the sorted openings of a process that is not before this name. */
static size_t first_of(const struct finding *finding, uint32_t proc, uint32_t name)
{
    size_t low = 0, high = finding->accesses->opening_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct fth_opening *opening = &finding->accesses->openings[finding->sorted[middle]];
        if (opening->proc < proc || (opening->proc == proc && opening->name < name))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- openings ---- */

static uint32_t add_description(struct finding *finding, uint32_t opener)
{
    struct fth_descriptions *descriptions = finding->descriptions;
    FTH_GROW(descriptions->openers, descriptions->count);
    descriptions->openers[descriptions->count] = opener;
    return descriptions->count++;
}

static uint32_t description_of(struct finding *finding, uint32_t opening);

/* What of this name a process had open then. *any: something. */
static uint32_t had_open(struct finding *finding, uint32_t proc, uint32_t name,
                         struct fth_made made, bool *any)
{
    const struct fth_run_accesses *accesses = finding->accesses;
    uint32_t found = FTH_NO_DESCRIPTION;
    *any = false;
    for (size_t at = first_of(finding, proc, name); at < accesses->opening_count; at++) {
        const struct fth_opening *opening = &accesses->openings[finding->sorted[at]];
        if (opening->proc != proc || opening->name != name)
            break;
        if (!opening->is_descriptor || opening->is_of_libc || opening->time > made.time ||
            (made.exactly && opening->closed <= made.time))
            continue;
        uint32_t description = description_of(finding, finding->sorted[at]);
        if (!made.exactly || (*any && description != found)) {
            *any = true; /* it may have been opened later, or another one may be meant */
            return FTH_NO_DESCRIPTION;
        }
        found = description;
        *any = true;
    }
    return found;
}

static uint32_t from_outside(struct finding *finding, uint32_t proc, uint32_t name)
{
    uint32_t key[2] = {finding->runs->run_of_proc[proc], name};
    uint32_t known = finding->from_outside.count;
    uint32_t at = fth_intern(&finding->from_outside, key, sizeof key);
    if (at == known) {
        FTH_GROW(finding->outside, known);
        finding->outside[at] = add_description(finding, FTH_NO_DESCRIPTION);
    }
    return finding->outside[at];
}

/* What no process that this one comes from has opened is from outside of the run, or of libc. */
static uint32_t inherited_by(struct finding *finding, const struct fth_opening *opened)
{
    uint32_t proc = opened->proc, name = opened->name;
    for (uint32_t parent;
         (parent = fth_runs_predecessor(finding->runs, proc)) != FTH_NO_PREDECESSOR;
         proc = parent) {
        bool any;
        uint32_t found =
            had_open(finding, parent, name,
                     fth_made_at(finding->accesses, finding->runs, proc, parent), &any);
        if (any)
            return found;
    }
    return opened->is_of_libc ? add_description(finding, opened->proc)
                              : from_outside(finding, proc, name);
}

static uint32_t description_of(struct finding *finding, uint32_t opening)
{
    const struct fth_opening *opened = &finding->accesses->openings[opening];
    uint32_t *of = &finding->descriptions->of_opening[opening];
    if (finding->known[opening])
        return *of;
    uint32_t found =
        opened->inherited ? inherited_by(finding, opened) : add_description(finding, opened->proc);
    finding->known[opening] = true;
    return *of = found;
}

void fth_descriptions_find(struct fth_descriptions *descriptions,
                           const struct fth_run_accesses *accesses, const struct fth_runs *runs)
{
    size_t count = accesses->opening_count;
    struct finding finding = {.accesses = accesses, .runs = runs, .descriptions = descriptions};
    *descriptions = (struct fth_descriptions){0};
    descriptions->of_opening = fth_new(count + 1, sizeof *descriptions->of_opening);
    finding.known = fth_new(count + 1, sizeof *finding.known);
    finding.sorted = fth_new(count + 1, sizeof *finding.sorted);
    for (uint32_t i = 0; i < count; i++)
        finding.sorted[i] = i;
    qsort_r(finding.sorted, count, sizeof *finding.sorted, by_process_and_name, accesses->openings);
    for (size_t i = 0; i < accesses->interval_count; i++)
        description_of(&finding, accesses->intervals[i].opening);
    fth_intern_free(&finding.from_outside);
    free(finding.outside);
    free(finding.sorted);
    free(finding.known);
}

void fth_descriptions_free(struct fth_descriptions *descriptions)
{
    free(descriptions->of_opening);
    free(descriptions->openers);
}

/* A child has the descriptors of its parent, under their numbers: what it finds at one is what its
 * parent had there when it made the child. Both have the path that the parent asked for; where the
 * paths differ, the descriptor is of something else that got there without a call in the trace. */
#include "verify/gather/inherited_openings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of things in order of their processes. */
struct by_process {
    uint32_t *first; /* by process: its first one; one more than there are processes */
    uint32_t *sorted;
};

struct inheriting {
    const struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct by_process holdings, openings;
    struct fth_made *made; /* by process; time 0 and not exactly: not asked for yet */
    uint32_t *descriptors; /* by opening: the first one that it was found at + 1; 0: none */
};

#define SEVERAL UINT32_MAX
#define ANY_NAME UINT32_MAX

struct fth_made fth_made_at(const struct fth_run_accesses *accesses, const struct fth_runs *runs,
                            uint32_t proc, uint32_t parent)
{
    const struct fth_process *process = fth_runs_process(runs, proc);
    int64_t start = process->start + fth_runs_of(runs, proc)->offset;
    struct fth_made made = {start, fth_runs_process(runs, parent)->pid == process->pid};
    if (made.exactly)
        return made; /* exec: nothing of the old program comes after it */
    for (size_t i = 0; i < accesses->birth_count; i++) {
        const struct fth_birth *birth = &accesses->births[i];
        if (birth->proc == parent && birth->pid == process->pid && birth->time <= start)
            made = (struct fth_made){birth->time, true};
    }
    return made;
}

static struct fth_made made_at(struct inheriting *inheriting, uint32_t proc, uint32_t parent)
{
    struct fth_made *made = &inheriting->made[proc];
    if (!made->time && !made->exactly)
        *made = fth_made_at(inheriting->accesses, inheriting->runs, proc, parent);
    return *made;
}

/* ---- by process ---- */

static uint32_t process_of_holding(const struct fth_run_accesses *accesses, size_t i)
{
    return accesses->holdings[i].proc;
}

static uint32_t process_of_opening(const struct fth_run_accesses *accesses, size_t i)
{
    return accesses->openings[i].proc;
}

static struct by_process sort(const struct inheriting *inheriting, size_t count,
                              uint32_t (*process_of)(const struct fth_run_accesses *, size_t))
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    size_t process_count = inheriting->runs->process_count;
    struct by_process by = {fth_new(process_count + 2, sizeof *by.first),
                            fth_new(count + 1, sizeof *by.sorted)};
    uint32_t *next = fth_new(process_count + 1, sizeof *next);
    for (size_t i = 0; i < count; i++)
        by.first[process_of(accesses, i) + 1]++;
    for (size_t i = 0; i < process_count; i++)
        by.first[i + 1] += by.first[i];
    memcpy(next, by.first, process_count * sizeof *next);
    for (uint32_t i = 0; i < count; i++)
        by.sorted[next[process_of(accesses, i)]++] = i;
    free(next);
    return by;
}

static void find_descriptors(struct inheriting *inheriting)
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    for (size_t i = 0; i < accesses->holding_count; i++) {
        uint32_t *descriptor = &inheriting->descriptors[accesses->holdings[i].opening];
        if (!*descriptor)
            *descriptor = accesses->holdings[i].descriptor + 1;
    }
}

/* ---- what the parent had ---- */

/* The name of a file that is gone has " (deleted)" behind it, where the system was asked for it. */
static bool is_of_name(const struct fth_run_accesses *accesses, uint32_t asked, uint32_t other)
{
    static const char gone[] = " (deleted)";
    size_t length, other_length;
    if (asked == other)
        return true;
    const char *text = fth_run_accesses_name(accesses, asked, &length);
    const char *other_text = fth_run_accesses_name(accesses, other, &other_length);
    return length == other_length + sizeof gone - 1 &&
           memcmp(text, other_text, other_length) == 0 && strcmp(text + other_length, gone) == 0;
}

/* What `parent` had at the descriptor then, plus 1; 0: nothing that is known. `asked`: the name
 * that it must have been opened by, or ANY_NAME. */
static uint32_t held(const struct inheriting *inheriting, uint32_t parent, uint32_t descriptor,
                     uint32_t asked, struct fth_made made)
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    const struct by_process *by = &inheriting->holdings;
    uint32_t found = 0;
    for (uint32_t at = by->first[parent]; at < by->first[parent + 1]; at++) {
        const struct fth_holding *holding = &accesses->holdings[by->sorted[at]];
        if (holding->descriptor == descriptor && holding->from <= made.time &&
            (!made.exactly || holding->to > made.time) &&
            (asked == ANY_NAME ||
             is_of_name(accesses, asked, accesses->openings[holding->opening].asked)))
            found = holding->opening + 1;
    }
    return found;
}

/* The same of what has no number, such as a stream, or was not seen at it: what was opened by this
 * name; SEVERAL: any of them may be meant. */
static uint32_t had_open(const struct inheriting *inheriting, uint32_t parent, uint32_t asked,
                         struct fth_made made)
{
    const struct fth_run_accesses *accesses = inheriting->accesses;
    const struct by_process *by = &inheriting->openings;
    uint32_t found = 0;
    for (uint32_t at = by->first[parent]; at < by->first[parent + 1]; at++) {
        const struct fth_opening *opening = &accesses->openings[by->sorted[at]];
        if (!is_of_name(accesses, asked, opening->asked) ||
            (!opening->inherited && opening->time > made.time) ||
            (made.exactly && opening->closed <= made.time))
            continue;
        found = found ? SEVERAL : by->sorted[at] + 1;
    }
    return found;
}

static uint32_t inherited_by(struct inheriting *inheriting, uint32_t opening)
{
    const struct fth_opening *opened = &inheriting->accesses->openings[opening];
    uint32_t parent, descriptor = inheriting->descriptors[opening], found = 0;
    for (uint32_t proc = opened->proc;
         !found && (parent = fth_runs_predecessor(inheriting->runs, proc)) != FTH_NO_PREDECESSOR;
         proc = parent) {
        struct fth_made made = made_at(inheriting, proc, parent);
        if (descriptor)
            found = held(inheriting, parent, descriptor - 1, opened->asked, made);
        if (!found)
            found = had_open(inheriting, parent, opened->asked, made);
    }
    return found == SEVERAL ? 0 : found;
}

/* ---- paths of descriptors ---- */

/* "/proc/123/fd/4", "/proc/self/fd/4", "/dev/fd/4"; the number of the process, or its own. */
static bool is_of_descriptor(const char *path, int64_t *pid, uint32_t *descriptor)
{
    char *end;
    if (strncmp(path, "/dev/fd/", 8) == 0) {
        path += 8;
    } else if (strncmp(path, "/proc/self/fd/", 14) == 0) {
        path += 14;
    } else if (strncmp(path, "/proc/", 6) == 0) {
        *pid = strtoll(path + 6, &end, 10);
        if (end == path + 6 || strncmp(end, "/fd/", 4) != 0)
            return false;
        path = end + 4;
    } else {
        return false;
    }
    unsigned long number = strtoul(path, &end, 10);
    *descriptor = (uint32_t)number;
    return end != path && !*end && number < UINT32_MAX;
}

/* The process of the same run that had this number then; FTH_NO_PREDECESSOR: none is known. */
static uint32_t process_at(const struct inheriting *inheriting, uint32_t like, int64_t pid,
                           int64_t time)
{
    const struct fth_runs *runs = inheriting->runs;
    uint32_t found = FTH_NO_PREDECESSOR;
    for (uint32_t proc = 0; proc < runs->process_count; proc++)
        if (runs->run_of_proc[proc] == runs->run_of_proc[like] &&
            fth_runs_process(runs, proc)->pid == pid &&
            fth_runs_process(runs, proc)->start + fth_runs_of(runs, proc)->offset <= time)
            found = proc;
    return found;
}

/* What a path of a descriptor led to, where the system has no name for that. */
static uint32_t led_to(struct inheriting *inheriting, uint32_t opening)
{
    const struct fth_opening *opened = &inheriting->accesses->openings[opening];
    size_t length;
    int64_t pid = fth_runs_process(inheriting->runs, opened->proc)->pid;
    uint32_t descriptor, found = 0;
    const char *path = fth_run_accesses_name(inheriting->accesses, opened->asked, &length);
    if (opened->is_real || !opened->was_seen || !is_of_descriptor(path, &pid, &descriptor))
        return 0;
    struct fth_made made = {opened->time, true};
    uint32_t proc = process_at(inheriting, opened->proc, pid, opened->time);
    while (!found && proc != FTH_NO_PREDECESSOR) {
        uint32_t parent = fth_runs_predecessor(inheriting->runs, proc);
        found = held(inheriting, proc, descriptor, ANY_NAME, made);
        if (parent == FTH_NO_PREDECESSOR || fth_runs_is_exec(inheriting->runs, proc))
            break;
        made = made_at(inheriting, proc, parent);
        proc = parent;
    }
    return found == opening + 1 ? 0 : found;
}

uint32_t *fth_inherited_openings_find(const struct fth_run_accesses *accesses,
                                      const struct fth_runs *runs)
{
    struct inheriting inheriting = {.accesses = accesses, .runs = runs};
    uint32_t *inherited = fth_new(accesses->opening_count + 1, sizeof *inherited);
    inheriting.holdings = sort(&inheriting, accesses->holding_count, process_of_holding);
    inheriting.openings = sort(&inheriting, accesses->opening_count, process_of_opening);
    inheriting.made = fth_new(runs->process_count + 1, sizeof *inheriting.made);
    inheriting.descriptors = fth_new(accesses->opening_count + 1, sizeof *inheriting.descriptors);
    find_descriptors(&inheriting);
    for (uint32_t i = 0; i < accesses->opening_count; i++)
        if (accesses->openings[i].inherited)
            inherited[i] = inherited_by(&inheriting, i);
        else
            inherited[i] = led_to(&inheriting, i);
    free(inheriting.holdings.first);
    free(inheriting.holdings.sorted);
    free(inheriting.openings.first);
    free(inheriting.openings.sorted);
    free(inheriting.made);
    free(inheriting.descriptors);
    return inherited;
}

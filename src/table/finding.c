/* Findings are few: arrays and copies of texts. */
#include "table/finding.h"

#include "base/intern.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fth_finding *fth_finding_add(struct fth_findings *findings, const char *kind,
                                    const char *title)
{
    FTH_GROW(findings->list, findings->count);
    struct fth_finding *finding = &findings->list[findings->count++];
    *finding = (struct fth_finding){.kind = kind, .title = title, .times = 1, .gain = -1};
    return finding;
}

static void free_list(struct fth_finding_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    free(list->hashes);
}

static void clear(struct fth_finding *finding)
{
    free(finding->text);
    free(finding->advice);
    free_list(&finding->ranks);
    free_list(&finding->late);
    free_list(&finding->files);
    free_list(&finding->evidence);
    free_list(&finding->functions);
}

void fth_finding_drop(struct fth_findings *findings)
{
    clear(&findings->list[--findings->count]);
}

void fth_findings_remove(struct fth_findings *findings, size_t index)
{
    clear(&findings->list[index]);
    for (size_t i = index + 1; i < findings->count; i++)
        findings->list[i - 1] = findings->list[i];
    findings->count--;
}

static void set_text(char **text, const char *format, va_list arguments)
{
    free(*text);
    *text = NULL;
    if (vasprintf(text, format, arguments) < 0)
        fth_out_of_memory();
}

void fth_finding_say(struct fth_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(&finding->text, format, arguments);
    va_end(arguments);
}

void fth_finding_advise(struct fth_finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_text(&finding->advice, format, arguments);
    va_end(arguments);
}

void fth_finding_list_add(struct fth_finding_list *list, const char *item)
{
    uint32_t hash = (uint32_t)fth_hash_text(item);
    for (size_t i = 0; i < list->count; i++)
        if (list->hashes[i] == hash && strcmp(list->items[i], item) == 0)
            return;
    list->total++;
    if (list->count == FTH_FINDING_KEPT)
        return;
    FTH_GROW(list->items, list->count);
    FTH_GROW(list->hashes, list->count);
    list->hashes[list->count] = hash;
    char *copy = fth_new(strlen(item) + 1, 1);
    strcpy(copy, item);
    list->items[list->count++] = copy;
}

void fth_finding_spread(struct fth_finding *finding, uint64_t processes)
{
    if (processes > finding->ranks.total)
        finding->ranks.total = processes;
}

void fth_finding_call(struct fth_finding *finding, size_t proc, uint32_t thread, uint64_t number)
{
    char name[64];
    snprintf(name, sizeof name, "%zu.%" PRIu32 ".%" PRIu64, proc, thread, number);
    fth_finding_list_add(&finding->evidence, name);
}

static void add_list(struct fth_finding_list *list, const struct fth_finding_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        fth_finding_list_add(list, more->items[i]);
    list->total += more->total - more->count;
}

/* Those that are not listed may be the same. */
static void add_ranks(struct fth_finding_list *list, const struct fth_finding_list *more)
{
    uint64_t least = list->total > more->total ? list->total : more->total;
    list->total = list->count;
    add_list(list, &(struct fth_finding_list){
                       .total = more->count, .count = more->count, .items = more->items});
    list->total = list->total > least ? list->total : least;
}

static void fold(struct fth_finding *worse, struct fth_finding *other)
{
    worse->severity += other->severity;
    worse->explains += other->explains;
    worse->of_lifetimes |= other->of_lifetimes;
    worse->behind &= other->behind;
    worse->aside &= other->aside;
    worse->times += other->times;
    add_ranks(&worse->ranks, &other->ranks);
    add_list(&worse->late, &other->late);
    add_list(&worse->files, &other->files);
    add_list(&worse->evidence, &other->evidence);
    if (worse->functions.total && other->functions.total)
        add_list(&worse->functions, &other->functions);
    else
        worse->functions.total = 0;
    worse->classes = worse->classes && other->classes ? worse->classes | other->classes : 0;
    worse->any_file |= other->any_file;
}

void fth_findings_fold(struct fth_findings *findings)
{
    fth_findings_sort(findings, 1);
    for (size_t i = 0; i < findings->count; i++) {
        size_t kept = i + 1;
        for (size_t k = i + 1; k < findings->count; k++) {
            struct fth_finding *other = &findings->list[k];
            if (strcmp(findings->list[i].kind, other->kind) != 0) {
                if (kept != k)
                    findings->list[kept] = *other;
                kept++;
                continue;
            }
            fold(&findings->list[i], other);
            clear(other);
        }
        findings->count = kept;
    }
    fth_findings_sort(findings, 1);
}

struct fth_finding *fth_finding_of(const struct fth_findings *findings, const char *kind)
{
    for (size_t i = 0; i < findings->count; i++)
        if (strcmp(findings->list[i].kind, kind) == 0)
            return &findings->list[i];
    return NULL;
}

/* ---- order ---- */

struct place {
    size_t index;
    int group;
    int64_t worth;
};

static struct place place_of(const struct fth_finding *finding, size_t index, size_t processes)
{
    struct place place = {.index = index, .worth = finding->gain};
    if (finding->gain < 0)
        place.worth = finding->severity / (int64_t)(processes ? processes : 1);
    place.group = finding->effective                   ? 5
                  : finding->wrong && !finding->behind ? 0
                  : finding->part_of                   ? 4
                  : finding->minor || finding->aside   ? 3
                  : finding->behind                    ? 2
                                                       : 1;
    return place;
}

static int compare(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    if (first->group != second->group)
        return first->group - second->group;
    if (first->worth != second->worth)
        return first->worth < second->worth ? 1 : -1;
    return first->index < second->index ? -1 : first->index > second->index;
}

void fth_findings_sort(struct fth_findings *findings, size_t processes)
{
    struct place *places = fth_new(findings->count + 1, sizeof *places);
    struct fth_finding *sorted = fth_new(findings->count + 1, sizeof *sorted);
    for (size_t i = 0; i < findings->count; i++)
        places[i] = place_of(&findings->list[i], i, processes);
    qsort(places, findings->count, sizeof *places, compare);
    for (size_t i = 0; i < findings->count; i++)
        sorted[i] = findings->list[places[i].index];
    for (size_t i = 0; i < findings->count; i++)
        findings->list[i] = sorted[i];
    free(places);
    free(sorted);
}

void fth_findings_share(struct fth_findings *findings, int64_t whole)
{
    for (size_t i = 0; whole > 0 && i < findings->count; i++)
        findings->list[i].share = 100.0 * (double)findings->list[i].severity / (double)whole;
}

void fth_findings_free(struct fth_findings *findings)
{
    while (findings->count)
        fth_finding_drop(findings);
    free(findings->list);
    *findings = (struct fth_findings){0};
}

void fth_findings_weigh(struct fth_findings *findings, double least)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct fth_finding *finding = &findings->list[i];
        double share = finding->gain >= 0 ? finding->gain_share : finding->share;
        finding->minor = finding->aside || (!finding->wrong && !finding->effective &&
                                            finding->severity > 0 && share < 100 * least);
    }
}

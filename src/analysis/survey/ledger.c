/* Time by chain of calls and file. There are few chains; files are numbers by their path. */
#include "analysis/survey/ledger.h"
#include "base/saturating.h"

#include "base/indexed.h"
#include "base/keyed.h"
#include "base/memory.h"

#include <string.h>

struct chain {
    unsigned classes;    /* of all its calls */
    size_t count;        /* of functions */
    uint32_t *functions; /* numbers of their names */
};

struct entry {
    uint32_t chain, file, asked;
};

struct fth_ledger {
    struct fth_intern names, files;
    size_t chain_count;
    struct chain *chains;
    /* of int64_t: of calls about the file that was asked for, by file and up to FEW_CHAINS chains
     * of it, as there may be many files; of all others by struct entry */
    struct fth_indexed of_files;
    struct fth_keyed times;
};

enum { FEW_CHAINS = 8 };

struct fth_ledger *fth_ledger_new(void)
{
    struct fth_ledger *ledger = fth_new(1, sizeof *ledger);
    ledger->of_files.size = ledger->times.size = sizeof(int64_t);
    return ledger;
}

void fth_ledger_free(struct fth_ledger *ledger)
{
    if (!ledger)
        return;
    for (size_t i = 0; i < ledger->chain_count; i++)
        free(ledger->chains[i].functions);
    free(ledger->chains);
    fth_intern_free(&ledger->names);
    fth_intern_free(&ledger->files);
    fth_indexed_free(&ledger->of_files);
    fth_keyed_free(&ledger->times);
    free(ledger);
}

uint32_t fth_ledger_chain(struct fth_ledger *ledger, const struct fth_ledger_step *steps,
                          size_t count)
{
    FTH_GROW(ledger->chains, ledger->chain_count);
    struct chain *chain = &ledger->chains[ledger->chain_count];
    *chain =
        (struct chain){.count = count, .functions = fth_new(count + 1, sizeof *chain->functions)};
    for (size_t i = 0; i < count; i++) {
        chain->classes |= steps[i].class;
        chain->functions[i] =
            fth_intern(&ledger->names, steps[i].function, strlen(steps[i].function));
    }
    return (uint32_t)ledger->chain_count++;
}

uint32_t fth_ledger_file(struct fth_ledger *ledger, const char *path)
{
    return path ? fth_intern(&ledger->files, path, strlen(path)) : FTH_LEDGER_NO_FILE;
}

void fth_ledger_enter(struct fth_ledger *ledger, uint32_t chain, uint32_t file, uint32_t asked,
                      int64_t ns)
{
    struct entry entry = {chain, file, asked};
    int64_t *sum = NULL;
    if (file != FTH_LEDGER_NO_FILE && file == asked)
        sum = fth_indexed_among(&ledger->of_files, file, chain, FEW_CHAINS);
    if (!sum)
        sum = fth_keyed_get(&ledger->times, &entry, sizeof entry);
    FTH_ADD_SATURATING(*sum, ns);
}

/* ---- what a finding is about ---- */

struct scope {
    bool *chains, *files; /* by number: is it about these? */
    bool any_file;
};

static bool has_function(const struct fth_ledger *ledger, const struct chain *chain,
                         const struct fth_finding_list *functions)
{
    for (size_t i = 0; i < functions->count; i++) {
        uint32_t number;
        if (!fth_intern_find(&ledger->names, functions->items[i], strlen(functions->items[i]),
                             &number))
            continue;
        for (size_t k = 0; k < chain->count; k++)
            if (chain->functions[k] == number)
                return true;
    }
    return false;
}

static bool is_about_chain(const struct fth_ledger *ledger, const struct chain *chain,
                           const struct fth_finding *finding)
{
    bool names_all = finding->functions.total == finding->functions.count;
    if (finding->classes && !(finding->classes & chain->classes))
        return false;
    return !finding->functions.total || !names_all ||
           has_function(ledger, chain, &finding->functions);
}

static struct scope scope_of(const struct fth_ledger *ledger, const struct fth_finding *finding)
{
    struct scope scope = {
        .chains = fth_new(ledger->chain_count + 1, sizeof *scope.chains),
        .files = fth_new((size_t)ledger->files.count + 1, sizeof *scope.files),
        .any_file = finding->any_file || !finding->files.total ||
                    finding->files.total > finding->files.count,
    };
    for (size_t i = 0; i < ledger->chain_count; i++)
        scope.chains[i] = is_about_chain(ledger, &ledger->chains[i], finding);
    for (size_t i = 0; i < finding->files.count; i++) {
        uint32_t number;
        if (fth_intern_find(&ledger->files, finding->files.items[i],
                            strlen(finding->files.items[i]), &number))
            scope.files[number] = true;
    }
    return scope;
}

static bool is_about_file(const struct scope *scope, uint32_t file)
{
    return file != FTH_LEDGER_NO_FILE && scope->files[file];
}

static bool is_about(const struct scope *scope, uint32_t chain, uint32_t file, uint32_t asked)
{
    return scope->chains[chain] &&
           (scope->any_file || is_about_file(scope, file) || is_about_file(scope, asked));
}

static bool says_which_calls(const struct fth_finding *finding)
{
    return finding->classes || finding->functions.total;
}

int64_t fth_ledger_time(const struct fth_ledger *ledger, const struct fth_finding *finding)
{
    int64_t time = 0;
    if (!says_which_calls(finding))
        return 0;
    struct scope scope = scope_of(ledger, finding);
    for (uint32_t i = 0; i < ledger->of_files.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&ledger->of_files, i);
        if (is_about(&scope, (uint32_t)entry->sort, entry->number, entry->number))
            FTH_ADD_SATURATING(time, *(const int64_t *)(const void *)entry->item);
    }
    for (uint32_t i = 0; i < fth_keyed_count(&ledger->times); i++) {
        struct entry entry;
        memcpy(&entry, fth_keyed_key(&ledger->times, i), sizeof entry);
        if (is_about(&scope, entry.chain, entry.file, entry.asked))
            FTH_ADD_SATURATING(time, *(const int64_t *)fth_keyed_item(&ledger->times, i));
    }
    free(scope.chains);
    free(scope.files);
    return time;
}

/* ---- findings ---- */

void fth_ledger_settle(const struct fth_ledger *ledger, int64_t lifetimes, double least,
                       struct fth_findings *findings)
{
    for (size_t i = 0; i < findings->count;) {
        struct fth_finding *finding = &findings->list[i];
        if (finding->effective || finding->severity <= 0) {
            i++;
            continue;
        }
        int64_t most = finding->of_lifetimes ? lifetimes : fth_ledger_time(ledger, finding);
        if (finding->severity > most)
            finding->severity = most;
        if (finding->severity > 0 && (double)finding->severity >= least)
            i++;
        else
            fth_findings_remove(findings, i);
    }
}

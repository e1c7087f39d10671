/* Which signatures both sides have. A file is the same if both sides name it alike, if it was found
 * to be renamed, or if it has the same name below the folder that its run began in. */
#include "diff/diff.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

/* Calls of a run with one signature, by the names that files are compared by. */
struct sums {
    const struct fth_diff_signature *example;
    uint64_t calls, sizes;
};

struct met {
    struct sums first[2]; /* of each side: those of the first run that has it */
    uint32_t there[2];    /* in so many runs */
    bool equal;
};

struct comparison {
    struct fth_diff *diff;
    struct fth_keyed rows; /* of size_t: row of a file by its name, + 1 */
    struct fth_keyed met;
};

/* The folder in which the first process began that is no launcher; NULL: not known. */
static const char *folder_of(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++)
        if (!fth_trace_process(trace, i)->launcher)
            return fth_trace_process(trace, i)->directory;
    return NULL;
}

static const char *below(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    if (length > 1 && !strcmp(path, folder))
        return ".";
    return length > 1 && fth_text_begins(path, folder) && path[length] == '/' ? path + length + 1
                                                                              : path;
}

static const struct fth_diff_row *row_of_file(struct comparison *comparison, const char *name)
{
    const size_t *number = fth_keyed_get(&comparison->rows, name, strlen(name));
    return *number ? &comparison->diff->parts[FTH_DIFF_FILES].rows[*number - 1] : NULL;
}

/* The name under which the file of a signature is compared; "": it is about none. */
static const char *shared_name(struct comparison *comparison, size_t run, const char *path)
{
    struct fth_diff *diff = comparison->diff;
    bool of_b = run >= diff->counts[0];
    if (!path)
        return "";
    const char *name = *(char **)fth_keyed_get(&diff->names, path, strlen(path));
    const struct fth_diff_row *row = row_of_file(comparison, name);
    if (row && row->there[0] && row->there[1] && !row->was)
        return name;
    if (row && of_b && row->was)
        return below(row->was, folder_of(diff->runs[0].trace));
    return below(name, folder_of(diff->runs[run].trace));
}

static void add_up(struct comparison *comparison, size_t run, struct fth_keyed *of_run)
{
    const struct fth_diff_signatures *signatures = &comparison->diff->runs[run].signatures;
    for (uint32_t i = 0; i < fth_keyed_count(&signatures->found); i++) {
        const struct fth_diff_signature *signature = fth_diff_signature_at(signatures, i);
        char *key =
            fth_text_format("%s\n%s\n%s\n%s", signature->function->layer, signature->function->name,
                            signature->parameters, shared_name(comparison, run, signature->path));
        struct sums *sums = fth_keyed_get(of_run, key, strlen(key));
        sums->example = sums->example ? sums->example : signature;
        sums->calls += signature->calls;
        sums->sizes += signature->sizes;
        free(key);
    }
}

static void meet(struct comparison *comparison, size_t run)
{
    struct fth_keyed of_run = {.size = sizeof(struct sums)};
    int side = run >= comparison->diff->counts[0];
    add_up(comparison, run, &of_run);
    for (uint32_t i = 0; i < fth_keyed_count(&of_run); i++) {
        size_t length;
        const uint8_t *key = fth_interned(&of_run.keys, i, &length);
        const struct sums *sums = fth_keyed_item(&of_run, i);
        struct met *met = fth_keyed_get(&comparison->met, key, length);
        if (!met->there[side]++)
            met->first[side] = *sums;
        met->equal |= side && met->there[0] && met->first[0].calls == sums->calls &&
                      met->first[0].sizes == sums->sizes;
    }
    fth_keyed_free(&of_run);
}

/* Of A and B: what is the same, and a row for what is not. */
static void judge(struct fth_diff *diff, const struct met *met)
{
    struct fth_diff_calls *calls = &diff->calls;
    bool both = met->there[0] && met->there[1];
    calls->both += both;
    calls->equal += both && met->equal;
    for (int side = 0; side < 2; side++)
        calls->only[side] += !met->there[!side] && met->there[side] == diff->counts[side];
    if (both && met->equal)
        return;
    FTH_GROW(calls->list, calls->count);
    calls->list[calls->count++] = (struct fth_diff_call){
        .signature = met->there[0] ? met->first[0].example : met->first[1].example,
        .in = {met->there[0] > 0, met->there[1] > 0},
        .calls = {met->first[0].calls, met->first[1].calls}};
}

void fth_diff_compare_calls(struct fth_diff *diff)
{
    struct comparison comparison = {
        .diff = diff, .rows.size = sizeof(size_t), .met.size = sizeof(struct met)};
    const struct fth_diff_part *files = &diff->parts[FTH_DIFF_FILES];
    for (size_t i = 0; i < files->count; i++) {
        const char *name = files->rows[i].name;
        if (name)
            *(size_t *)fth_keyed_get(&comparison.rows, name, strlen(name)) = i + 1;
    }
    for (size_t run = 0; run < fth_diff_run_count(diff); run++)
        meet(&comparison, run);
    for (uint32_t i = 0; i < fth_keyed_count(&comparison.met); i++)
        judge(diff, fth_keyed_item(&comparison.met, i));
    fth_keyed_free(&comparison.rows);
    fth_keyed_free(&comparison.met);
}

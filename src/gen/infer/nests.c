/* Runs become nests from the inside out: in each turn nests of one form that follow one another at
 * one distance become one nest with a level more, until nothing changes. */
#include "gen/infer/nests.h"

#include "base/memory.h"

#include <string.h>

int64_t fth_gen_nest_end(const struct fth_gen_nest *nest)
{
    int64_t end = nest->at + nest->length;
    for (unsigned i = 0; i < nest->levels; i++)
        end += (nest->level[i].count - 1) * nest->level[i].stride;
    return end;
}

static int by_place(const void *left, const void *right)
{
    const struct fth_gen_nest *a = left, *b = right;
    if (a->space != b->space)
        return a->space < b->space ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static bool is_alike(const struct fth_gen_nest *a, const struct fth_gen_nest *b)
{
    if (a->space != b->space || a->type != b->type || a->length != b->length ||
        a->levels != b->levels)
        return false;
    for (unsigned i = 0; i < a->levels; i++)
        if (a->level[i].stride != b->level[i].stride || a->level[i].count != b->level[i].count)
            return false;
    return true;
}

/* Runs that touch; what was accessed twice is one. */
static size_t join(struct fth_gen_nest *nests, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct fth_gen_nest *before = kept ? &nests[kept - 1] : NULL;
        if (before && before->space == nests[i].space && before->type == nests[i].type &&
            before->at + before->length == nests[i].at)
            before->length += nests[i].length;
        else
            nests[kept++] = nests[i];
    }
    return kept;
}

/* How many from the first on are one nest of a level more. */
static size_t together(const struct fth_gen_nest *nests, size_t count)
{
    size_t taken = 1;
    if (count < 2 || !is_alike(&nests[0], &nests[1]) || nests[0].levels == FTH_GEN_MOST_LEVELS)
        return 1;
    int64_t stride = nests[1].at - nests[0].at;
    while (taken < count && is_alike(&nests[0], &nests[taken]) &&
           nests[taken].at - nests[taken - 1].at == stride)
        taken++;
    return taken;
}

/* A level that leaves no hole is a longer run. */
static void settle(struct fth_gen_nest *nest)
{
    while (nest->levels && nest->level[0].stride == nest->length) {
        nest->length *= nest->level[0].count;
        nest->levels--;
        memmove(nest->level, nest->level + 1, nest->levels * sizeof *nest->level);
    }
}

static size_t nest_once(struct fth_gen_nest *nests, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        size_t taken = together(nests + i, count - i);
        struct fth_gen_nest made = nests[i];
        if (taken > 1) {
            made.level[made.levels].stride = nests[i + 1].at - nests[i].at;
            made.level[made.levels++].count = (int64_t)taken;
            settle(&made);
        }
        nests[kept++] = made;
        i += taken;
    }
    return kept;
}

static bool overlap(const struct fth_gen_nest *nests, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (nests[i - 1].space == nests[i].space &&
            nests[i - 1].at + nests[i - 1].length > nests[i].at)
            return true;
    return false;
}

struct fth_gen_nest *fth_gen_nests_find(const struct fth_gen_run *runs, size_t count,
                                        struct fth_gen_nesting how, size_t *nest_count,
                                        const char **why)
{
    struct fth_gen_nest *nests = fth_new(count + 1, sizeof *nests);
    for (size_t i = 0; i < count; i++)
        nests[i] = (struct fth_gen_nest){.space = runs[i].space,
                                         .type = runs[i].type,
                                         .at = (int64_t)runs[i].at,
                                         .length = (int64_t)runs[i].length};
    qsort(nests, count, sizeof *nests, by_place);
    if (overlap(nests, count)) {
        *why = "a process accesses the same bytes several times without a meeting between";
        free(nests);
        return NULL;
    }
    if (how.joins)
        count = join(nests, count);
    for (size_t before = count + 1; count < before && count > how.stop;) {
        before = count;
        count = nest_once(nests, count);
    }
    if (count > FTH_GEN_MOST_NESTS) {
        *why = "the places of a process follow no regular order";
        free(nests);
        return NULL;
    }
    *nest_count = count;
    return nests;
}

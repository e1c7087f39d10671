/* Later names point to the first one; what is forgotten gets another generation. */
#include "analysis/passes/followed_names.h"

static struct fth_followed_name *find(const struct fth_followed_names *names, uint32_t file)
{
    uint32_t place = fth_indexed_first(&names->names, file);
    return place == UINT32_MAX ? NULL : fth_indexed_item(&names->names, place);
}

static struct fth_followed_name *get(struct fth_followed_names *names, uint32_t file)
{
    return fth_indexed_get(&names->names, file, 0);
}

/* NULL: it is no later name of any file. */
static struct fth_followed_name *first_of(const struct fth_followed_names *names,
                                          const struct fth_followed_name *name)
{
    struct fth_followed_name *first = name && name->first ? find(names, name->first - 1) : NULL;
    return first && first->generation == name->generation ? first : NULL;
}

uint32_t fth_followed_first(const struct fth_followed_names *names, uint32_t file)
{
    const struct fth_followed_name *name = find(names, file);
    return first_of(names, name) ? name->first - 1 : file;
}

uint32_t fth_followed_last(const struct fth_followed_names *names, uint32_t first, bool *several)
{
    const struct fth_followed_name *name = find(names, first);
    *several = name && name->has_others;
    return name && name->last ? name->last - 1 : first;
}

void fth_followed_leave(struct fth_followed_names *names, uint32_t file)
{
    struct fth_followed_name *name = find(names, file), *first = first_of(names, name);
    if (!first) {
        get(names, file)->is_left = true;
        return;
    }
    if (first->last == file + 1)
        first->last = 0;
    name->first = 0;
}

void fth_followed_add(struct fth_followed_names *names, uint32_t from, uint32_t to, bool moves)
{
    uint32_t key = fth_followed_first(names, from);
    if (moves)
        fth_followed_leave(names, from);
    struct fth_followed_name *first = get(names, key), *name = get(names, to);
    first->has_others = true;
    if (moves)
        first->last = to + 1;
    name->first = key + 1;
    name->generation = first->generation;
}

void fth_followed_forget(struct fth_followed_names *names, uint32_t file)
{
    struct fth_followed_name *name = find(names, file);
    if (!name)
        return;
    if (first_of(names, name))
        fth_followed_leave(names, file);
    name->is_left = false;
    name->last = 0;
    name->generation++;
}

bool fth_followed_is_left(const struct fth_followed_names *names, uint32_t file)
{
    const struct fth_followed_name *name = find(names, file);
    return name && name->is_left && !first_of(names, name);
}

/* Files that A alone has, and files that B alone has: those that are used in the same way are one
 * file under two names. Of several that could be, those whose names are most alike. Then those with
 * as many bytes, read and written by any number of calls, if no other file has as many. Then those
 * of one name in different folders. */
#include "diff/diff.h"

#include "base/memory.h"

#include <string.h>

/* What is compared of the use of a file. */
enum { USE = 4, LEAST_BYTES = 4096 };
static const enum fth_diff_quantity use[USE] = {FTH_DIFF_READ, FTH_DIFF_WRITTEN, FTH_DIFF_OPENS,
                                                FTH_DIFF_CALLS};

struct candidate {
    int64_t use[USE];
    size_t row;
    bool taken;
};

struct candidates {
    size_t count;
    struct candidate *list;
};

/* Is it used in the same way by all runs of this side, and by none of the other? */
static bool describe(const struct fth_diff *diff, const struct fth_diff_row *row, int side,
                     bool by_bytes, struct candidate *candidate)
{
    size_t first = side ? diff->counts[0] : 0;
    if (!row->name || row->there[side] != diff->counts[side] || row->there[!side])
        return false;
    for (size_t i = 0; i < (by_bytes ? USE - 1 : USE); i++) {
        const int64_t *figures = fth_diff_figures(diff, row, use[i]) + first;
        candidate->use[i] = figures[0];
        for (size_t run = 1; run < diff->counts[side]; run++)
            if (figures[run] != figures[0])
                return false;
    }
    return candidate->use[0] + candidate->use[1] >= (by_bytes ? LEAST_BYTES : 1);
}

static int compare_use(const struct candidate *a, const struct candidate *b)
{
    for (size_t i = 0; i < USE; i++)
        if (a->use[i] != b->use[i])
            return a->use[i] < b->use[i] ? -1 : 1;
    return 0;
}

static int by_use(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;
    int uses = compare_use(a, b);
    return uses ? uses : (a->row > b->row) - (a->row < b->row);
}

static struct candidates find_candidates(const struct fth_diff *diff, int side, bool by_bytes)
{
    const struct fth_diff_part *files = &diff->parts[FTH_DIFF_FILES];
    struct candidates found = {0};
    for (size_t row = 0; row < files->count; row++) {
        struct candidate candidate = {.row = row};
        if (!describe(diff, &files->rows[row], side, by_bytes, &candidate))
            continue;
        FTH_GROW(found.list, found.count);
        found.list[found.count++] = candidate;
    }
    if (found.count)
        qsort(found.list, found.count, sizeof *found.list, by_use);
    return found;
}

/* Characters at both ends that are the same. */
static size_t alike(const char *one, const char *other)
{
    size_t a = strlen(one), b = strlen(other), least = a < b ? a : b, front = 0, back = 0;
    while (front < least && one[front] == other[front])
        front++;
    while (back < least - front && one[a - 1 - back] == other[b - 1 - back])
        back++;
    return front + back;
}

/* Of many that are used in the same way only so many are looked at, for each. */
enum { MOST_LOOKED_AT = 256 };

static struct candidate *find_match(const struct fth_diff_part *files, struct candidates *of,
                                    size_t from, const struct candidate *wanted)
{
    struct candidate *best = NULL;
    size_t most = 0;
    for (size_t i = from; i < of->count && i - from < MOST_LOOKED_AT; i++) {
        if (compare_use(&of->list[i], wanted))
            break;
        if (of->list[i].taken)
            continue;
        size_t now = alike(files->rows[of->list[i].row].name, files->rows[wanted->row].name);
        if (best && now <= most)
            continue;
        best = &of->list[i];
        most = now;
    }
    return best;
}

/* Two names in one folder, as long as each other, of which nobody chose one, have no meaning. */
static bool is_made_up(const struct fth_diff_row *old, const struct fth_diff_row *now)
{
    const char *a = strrchr(old->name, '/'), *b = strrchr(now->name, '/');
    return (old->temporary || now->temporary) && strlen(old->name) == strlen(now->name) && a && b &&
           a - old->name == b - now->name &&
           !strncmp(old->name, now->name, (size_t)(a - old->name));
}

/* The row of B gets what that of A has, which has no figures from then on. */
static void join(const struct fth_diff *diff, struct fth_diff_row *old, struct fth_diff_row *now)
{
    size_t runs = fth_diff_run_count(diff);
    for (size_t i = 0; i < FTH_DIFF_QUANTITIES * runs; i++)
        now->figures[i] += old->figures[i];
    now->there[0] = old->there[0];
    if (!is_made_up(old, now))
        now->presence = FTH_DIFF_RENAMED;
    now->was = old->name;
    old->name = NULL;
}

static void drop_joined(struct fth_diff_part *files)
{
    size_t kept = 0;
    for (size_t row = 0; row < files->count; row++)
        if (files->rows[row].name)
            files->rows[kept++] = files->rows[row];
        else
            free(files->rows[row].figures);
    files->count = kept;
}

/* Is there another one that is used in the same way? */
static bool is_one_of_several(const struct candidates *of, size_t place)
{
    return (place && !compare_use(&of->list[place], &of->list[place - 1])) ||
           (place + 1 < of->count && !compare_use(&of->list[place], &of->list[place + 1]));
}

static void match(const struct fth_diff *diff, struct fth_diff_part *files, bool by_bytes)
{
    struct candidates of[2] = {find_candidates(diff, 0, by_bytes),
                               find_candidates(diff, 1, by_bytes)};
    for (size_t i = 0, from = 0; i < of[1].count; i++) {
        struct candidate *wanted = &of[1].list[i];
        while (from < of[0].count &&
               (of[0].list[from].taken || compare_use(&of[0].list[from], wanted) < 0))
            from++;
        struct candidate *found = find_match(files, &of[0], from, wanted);
        if (!found ||
            (by_bytes && (is_one_of_several(&of[0], from) || is_one_of_several(&of[1], i))))
            continue;
        found->taken = true;
        join(diff, &files->rows[found->row], &files->rows[wanted->row]);
    }
    free(of[0].list);
    free(of[1].list);
}

/* ---- other folders ---- */

/* A run in another folder may do more or less with its files: they have their names still. Of so
 * many of one name, it is looked at what folders they are in. */
enum { MOST_OF_A_NAME = 64 };

struct named {
    const char *last; /* component of its name */
    size_t row;
    int side;
};

static const char *last_of(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static int by_last(const void *one, const void *other)
{
    const struct named *a = one, *b = other;
    int order = strcmp(a->last, b->last);
    return order                ? order
           : a->side != b->side ? a->side - b->side
                                : (a->row > b->row) - (a->row < b->row);
}

/* Components at the end that are the same. */
static size_t common_end(const char *one, const char *other)
{
    size_t a = strlen(one), b = strlen(other), components = 0;
    while (a && b && one[a - 1] == other[b - 1]) {
        a--;
        b--;
        components += one[a] == '/';
    }
    return components;
}

/* Are there bytes that are read in all runs of both sides or in none, and so for written ones? */
static bool is_used_alike(const struct fth_diff *diff, const struct fth_diff_row *old,
                          const struct fth_diff_row *now)
{
    bool moves = false;
    for (size_t i = 0; i < 2; i++) {
        const int64_t *before = fth_diff_figures(diff, old, use[i]),
                      *after = fth_diff_figures(diff, now, use[i]) + diff->counts[0];
        bool has = after[0] > 0;
        moves |= has;
        for (size_t run = 0; run < diff->counts[0]; run++)
            if ((before[run] > 0) != has)
                return false;
        for (size_t run = 0; run < diff->counts[1]; run++)
            if ((after[run] > 0) != has)
                return false;
    }
    return moves;
}

/* The one of the other side whose name ends most alike; NULL: none, or several. */
static const struct named *nearest(const struct fth_diff *diff, const struct named *group,
                                   size_t count, const struct named *wanted)
{
    const struct fth_diff_row *rows = diff->parts[FTH_DIFF_FILES].rows;
    const struct named *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct fth_diff_row *one = &rows[group[i].row], *other = &rows[wanted->row];
        if (group[i].side == wanted->side ||
            !(wanted->side ? is_used_alike(diff, one, other) : is_used_alike(diff, other, one)))
            continue;
        size_t now = common_end(one->name, other->name);
        if (now == most)
            best = NULL;
        if (now <= most)
            continue;
        most = now;
        best = &group[i];
    }
    return best;
}

static void match_group(const struct fth_diff *diff, const struct named *group, size_t count)
{
    struct fth_diff_row *rows = diff->parts[FTH_DIFF_FILES].rows;
    const struct named *of[MOST_OF_A_NAME] = {NULL};
    for (size_t i = 0; i < count; i++)
        of[i] = nearest(diff, group, count, &group[i]);
    for (size_t i = 0; i < count; i++) {
        const struct named *old = group[i].side ? of[i] : NULL;
        if (old && of[old - group] == &group[i])
            join(diff, &rows[old->row], &rows[group[i].row]);
    }
}

static struct named *find_named(const struct fth_diff *diff, size_t *count)
{
    const struct fth_diff_part *files = &diff->parts[FTH_DIFF_FILES];
    struct named *found = fth_new(files->count + 1, sizeof *found);
    *count = 0;
    for (size_t row = 0; row < files->count; row++) {
        const struct fth_diff_row *one = &files->rows[row];
        int side = one->there[0] ? 0 : 1;
        if (one->name && !one->temporary && one->there[side] == diff->counts[side] &&
            !one->there[!side])
            found[(*count)++] = (struct named){last_of(one->name), row, side};
    }
    qsort(found, *count, sizeof *found, by_last);
    return found;
}

static void match_names(const struct fth_diff *diff)
{
    size_t count, length;
    struct named *all = find_named(diff, &count);
    for (size_t from = 0; from < count; from += length) {
        length = 1;
        while (from + length < count && !strcmp(all[from].last, all[from + length].last))
            length++;
        if (length <= MOST_OF_A_NAME)
            match_group(diff, all + from, length);
    }
    free(all);
}

void fth_diff_match_files(struct fth_diff *diff)
{
    struct fth_diff_part *files = &diff->parts[FTH_DIFF_FILES];
    match(diff, files, false);
    match(diff, files, true);
    match_names(diff);
    drop_joined(files);
}

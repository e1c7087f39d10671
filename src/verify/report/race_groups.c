/* First races of one pattern of names are joined, then those of a folder in which many names race
 * alike. */
#include "verify/report/race_groups.h"

#include "base/memory.h"
#include "verify/advise/violation_groups.h"

#include <string.h>

/* More groups of one folder that are alike but for the names become one. */
enum { MOST_OF_A_FOLDER = 8 };

struct key {
    uint32_t chains[2]; /* the lower one first: which of two calls began first is chance */
    uint32_t pattern;   /* in fth_race_groups.patterns */
    uint32_t listing;
};

/* A name of a group. */
struct member {
    uint32_t group, name;
};

struct fth_race_groups {
    const struct fth_run_accesses *accesses;
    struct fth_intern patterns; /* with the byte of value zero behind each */
    struct fth_intern keys;     /* of struct key: numbers of groups */
    struct fth_intern members;  /* of struct member */
    struct fth_verdict_race *groups;
};

struct fth_race_groups *fth_race_groups_new(const struct fth_run_accesses *accesses)
{
    struct fth_race_groups *groups = fth_new(1, sizeof *groups);
    groups->accesses = accesses;
    return groups;
}

/* ---- patterns ---- */

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* The name with a star for each number, "/d/part.*"; of what a listing finds all of the folder,
 * "/d/" and a star. */
static uint32_t pattern_of(struct fth_race_groups *groups, const char *name, bool of_folder)
{
    size_t length = 0, slash = (size_t)(strrchr(name, '/') ? strrchr(name, '/') - name : 0);
    char *pattern = fth_new(strlen(name) + 3, 1);
    if (of_folder) {
        memcpy(pattern, name, slash);
        strcpy(pattern + slash, "/*");
    } else {
        for (const char *at = name; *at; at++)
            if (!is_digit(*at))
                pattern[length++] = *at;
            else if (length == 0 || at == name || !is_digit(at[-1]))
                pattern[length++] = '*';
        pattern[length] = 0;
    }
    uint32_t number = fth_intern(&groups->patterns, pattern, strlen(pattern) + 1);
    free(pattern);
    return number;
}

static const char *pattern_at(const struct fth_race_groups *groups, uint32_t number)
{
    size_t length;
    return (const char *)fth_interned(&groups->patterns, number, &length);
}

/* ---- one by one ---- */

void fth_race_groups_add(struct fth_race_groups *groups, uint32_t name,
                         const struct fth_verdict_race *race)
{
    size_t length;
    const char *text = fth_run_accesses_name(groups->accesses, name, &length);
    uint32_t a = race->first.chain, b = race->second.chain;
    struct key key = {.chains = {a < b ? a : b, a < b ? b : a},
                      .pattern = pattern_of(groups, text, race->listing),
                      .listing = race->listing};
    uint32_t known = groups->keys.count, at = fth_intern(&groups->keys, &key, sizeof key);
    if (at == known) {
        FTH_GROW(groups->groups, known);
        groups->groups[at] = *race;
        groups->groups[at].name = text;
        groups->groups[at].pairs = 0;
    }
    struct member member = {at, name};
    known = groups->members.count;
    groups->groups[at].pairs += race->pairs;
    groups->groups[at].of_names |= race->of_names;
    groups->groups[at].of_sizes |= race->of_sizes;
    groups->groups[at].names += fth_intern(&groups->members, &member, sizeof member) == known;
}

/* ---- those of a folder ---- */

/* A group, by what it has in common with others of its folder. */
struct candidate {
    struct key key; /* the pattern is that of the folder */
    uint32_t group;
};

static int by_key_and_group(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    int order = memcmp(&one->key, &other->key, sizeof one->key);
    return order ? order : (one->group > other->group) - (one->group < other->group);
}

static void join(struct fth_verdict_race *into, const struct fth_verdict_race *more)
{
    into->pairs += more->pairs;
    into->names += more->names;
    into->of_names |= more->of_names;
    into->of_sizes |= more->of_sizes;
}

static struct candidate *sorted_by_folder(struct fth_race_groups *groups, uint32_t count)
{
    struct candidate *sorted = fth_new(count + 1, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        sorted[i].group = i;
        memcpy(&sorted[i].key, fth_interned(&groups->keys, i, &length), sizeof sorted[i].key);
        sorted[i].key.pattern = pattern_of(groups, groups->groups[i].name, true);
    }
    qsort(sorted, count, sizeof *sorted, by_key_and_group);
    return sorted;
}

static void add_group(struct fth_verdict *verdict, const struct fth_verdict_race *group,
                      const char *pattern)
{
    FTH_GROW(verdict->race_groups, verdict->race_group_count);
    struct fth_verdict_race *added = &verdict->race_groups[verdict->race_group_count++];
    *added = *group;
    added->pattern = fth_text_copy(group->names > 1 ? pattern : group->name);
}

static int names_first(const void *a, const void *b)
{
    const struct fth_verdict_race *one = a, *other = b;
    if (one->listing != other->listing)
        return one->listing ? 1 : -1;
    if (one->pairs != other->pairs)
        return one->pairs > other->pairs ? -1 : 1;
    int order = strcmp(one->name, other->name);
    order = order ? order : fth_verdict_access_order(&one->first, &other->first);
    return order ? order : fth_verdict_access_order(&one->second, &other->second);
}

static void free_groups(struct fth_race_groups *groups)
{
    fth_intern_free(&groups->patterns);
    fth_intern_free(&groups->keys);
    fth_intern_free(&groups->members);
    free(groups->groups);
    free(groups);
}

void fth_race_groups_fill(struct fth_race_groups *groups, struct fth_verdict *verdict)
{
    uint32_t count = groups->keys.count;
    struct candidate *sorted = sorted_by_folder(groups, count);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && !memcmp(&sorted[end].key, &sorted[i].key, sizeof sorted[i].key); end++)
            ;
        bool joined = end - i > MOST_OF_A_FOLDER;
        for (uint32_t k = i + 1; k < end && joined; k++)
            join(&groups->groups[sorted[i].group], &groups->groups[sorted[k].group]);
        for (uint32_t k = i; k < (joined ? i + 1 : end); k++) {
            struct key key;
            size_t length;
            memcpy(&key, fth_interned(&groups->keys, sorted[k].group, &length), sizeof key);
            add_group(verdict, &groups->groups[sorted[k].group],
                      pattern_at(groups, joined ? sorted[k].key.pattern : key.pattern));
        }
    }
    if (verdict->race_group_count)
        qsort(verdict->race_groups, verdict->race_group_count, sizeof *verdict->race_groups,
              names_first);
    free(sorted);
    free_groups(groups);
}

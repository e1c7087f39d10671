/* Which openings are of the same file. Names are followed in order of time: openings look them
 * up; renames, links and deletions change them. If the tracer recorded the numbers of device
 * and file, these identify a file as long as it has a known name or is open; after that the
 * same numbers may be another file's. */
#include "verify/gather/file_identity.h"

#include "base/memory.h"
#include "verify/gather/inherited_openings.h"
#include "verify/gather/links.h"

#include <string.h>

/* What happens to names, in order of time: openings look names up, name events change what they
 * stand for. */
struct happening {
    int64_t time;
    uint32_t index; /* of the opening, or of the name event */
    bool is_opening;
};

/* What is known of a file of the list. */
struct known {
    uint32_t same_as; /* another one that it has turned out to be, plus 1; 0: none */
    uint32_t host;    /* of the node that has reported its number, plus 1; 0: none has */
    uint64_t links;   /* names that it has, as far as is known */
    bool is_gone;     /* it had names, and none is left */
    uint32_t renamed; /* the name that it was renamed to + 1; 0: none */
};

/* What the number of a file is known by. */
struct number {
    uint64_t device, inode, host;
};

struct naming {
    struct fth_files *files;
    struct fth_run_accesses *accesses;
    uint32_t *file_of; /* by name: file + 1; 0: none yet */
    uint32_t *sorted;  /* names in order of their bytes: those in one folder are together */
    struct fth_links links;
    bool *is_symbolic;   /* by name: it is a link, and no name of the file */
    struct known *known; /* by file */
    size_t known_count;
    struct fth_intern numbers; /* of struct number */
    uint32_t *file_with;       /* by number: file + 1 */
    uint32_t number_limit;
    uint32_t *file_of_opening; /* plus 1 */
    uint32_t *inherited;       /* by opening: that of the process that it comes from + 1; or 0 */
};

static int by_time(const void *a, const void *b)
{
    const struct happening *one = a, *other = b;
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    if (one->is_opening != other->is_opening)
        return one->is_opening ? 1 : -1;
    return one->index < other->index ? -1 : one->index > other->index;
}

static struct happening *in_order_of_time(const struct fth_run_accesses *accesses, size_t *count)
{
    *count = accesses->opening_count + accesses->name_event_count;
    struct happening *all = fth_new(*count + 1, sizeof *all);
    for (size_t i = 0; i < accesses->opening_count; i++)
        all[i] = (struct happening){accesses->openings[i].time, (uint32_t)i, true};
    for (size_t i = 0; i < accesses->name_event_count; i++)
        all[accesses->opening_count + i] =
            (struct happening){accesses->name_events[i].time, (uint32_t)i, false};
    qsort(all, *count, sizeof *all, by_time);
    return all;
}

/* ---- files ---- */

static uint32_t new_file(struct naming *naming, uint32_t name)
{
    struct fth_files *files = naming->files;
    FTH_GROW(files->names, files->count);
    files->names[files->count] = name;
    FTH_GROW(naming->known, naming->known_count);
    naming->known[naming->known_count++] = (struct known){.links = 1};
    return ++files->count;
}

/* The file that this one has turned out to be; files are numbered from 1 here, 0 is none. */
static uint32_t settled(const struct naming *naming, uint32_t file)
{
    while (file && naming->known[file - 1].same_as)
        file = naming->known[file - 1].same_as;
    return file;
}

/* The file that the name stands for now. */
static uint32_t named(const struct naming *naming, uint32_t name)
{
    return settled(naming, naming->file_of[name]);
}

static uint32_t *file_with(struct naming *naming, const struct fth_opening *opening)
{
    struct number number = {opening->device, opening->inode, opening->host};
    uint32_t at = fth_intern(&naming->numbers, &number, sizeof number);
    naming->file_with =
        fth_reach(naming->file_with, &naming->number_limit, at, sizeof *naming->file_with);
    return &naming->file_with[at];
}

static bool has_number(const struct naming *naming, uint32_t file, uint32_t host)
{
    return naming->known[file - 1].host == host + 1;
}

/* ---- openings ---- */

/* The file that has the number of the opening. One without names is not found by a name any more:
 * what has its number then is another one. */
static uint32_t numbered_file(struct naming *naming, const struct fth_opening *opening,
                              uint32_t name)
{
    uint32_t *with = file_with(naming, opening), file = settled(naming, *with);
    bool makes = opening->exclusive || opening->is_nameless;
    if (makes || (file && !opening->was_there && naming->known[file - 1].is_gone))
        file = 0;
    if (!file && !makes && named(naming, name) &&
        !has_number(naming, named(naming, name), opening->host))
        file = named(naming, name);
    if (!file)
        file = new_file(naming, opening->name);
    *with = file;
    naming->known[file - 1].host = opening->host + 1;
    naming->known[file - 1].links = opening->is_nameless ? 0 : opening->links;
    return file;
}

/* `file` is that of the process that the descriptor comes from. What has the number of the opening
 * by another way is the same, unless it is gone: then it had that number before. */
static uint32_t inherit_file(struct naming *naming, const struct fth_opening *opening,
                             uint32_t file)
{
    file = settled(naming, file);
    if (!opening->inode)
        return file;
    uint32_t *with = file_with(naming, opening), other = settled(naming, *with);
    if (other && other != file && !naming->known[other - 1].is_gone &&
        !has_number(naming, file, opening->host))
        naming->known[other - 1].same_as = file;
    *with = file;
    naming->known[file - 1].host = opening->host + 1;
    return file;
}

static uint32_t find_by_name(struct naming *naming, const struct fth_opening *opening)
{
    uint32_t name = fth_links_follow(&naming->links, opening->name), *at = &naming->file_of[name];
    if (!opening->inode) {
        if (!*at || opening->exclusive)
            *at = new_file(naming, opening->name);
        return *at;
    }
    uint32_t file = numbered_file(naming, opening, name), before = named(naming, name);
    if (opening->is_nameless || (opening->was_there && before))
        return file;
    /* Who opened it by the name alone has opened the same. */
    if (before && before != file && !opening->exclusive &&
        !has_number(naming, before, opening->host))
        naming->known[before - 1].same_as = file;
    *at = file;
    return file;
}

/* That of a process that others come from may be known only later: when it uses its descriptor. */
static uint32_t open_file(struct naming *naming, uint32_t opening)
{
    uint32_t *file = &naming->file_of_opening[opening], from = naming->inherited[opening];
    const struct fth_opening *opened = &naming->accesses->openings[opening];
    naming->inherited[opening] = 0;
    if (!*file && from)
        *file = inherit_file(naming, opened, open_file(naming, from - 1));
    if (!*file)
        *file = find_by_name(naming, opened);
    return *file;
}

/* ---- names ---- */

static int by_bytes(const void *a, const void *b, void *context)
{
    size_t length;
    return strcmp(fth_run_accesses_name(context, *(const uint32_t *)a, &length),
                  fth_run_accesses_name(context, *(const uint32_t *)b, &length));
}

static uint32_t *sorted_names(struct fth_run_accesses *accesses)
{
    uint32_t count = accesses->names.count, *sorted = fth_new(count + 1, sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    qsort_r(sorted, count, sizeof *sorted, by_bytes, accesses);
    return sorted;
}

/* The first of the sorted names that is not before `text`. */
static uint32_t first_name_from(const struct naming *naming, const char *text)
{
    uint32_t low = 0, high = naming->accesses->names.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        size_t length;
        if (strcmp(fth_run_accesses_name(naming->accesses, naming->sorted[middle], &length), text) <
            0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The name stands for this file now; 0: for none that is known. */
static void set_renamed(struct naming *naming, uint32_t name, uint32_t file)
{
    naming->file_of[name] = file;
    file = named(naming, name);
    if (file)
        naming->known[file - 1].renamed = name + 1;
}

static void name_moved(struct naming *naming, uint32_t from, uint32_t to)
{
    set_renamed(naming, to, naming->file_of[from]);
}

static void names_exchanged(struct naming *naming, uint32_t one, uint32_t other)
{
    uint32_t file = naming->file_of[one];
    bool symbolic = naming->is_symbolic[one];
    set_renamed(naming, one, naming->file_of[other]);
    set_renamed(naming, other, file);
    naming->is_symbolic[one] = naming->is_symbolic[other];
    naming->is_symbolic[other] = symbolic;
    fth_links_exchange(&naming->links, one, other);
}

static void name_below_moved(struct naming *naming, uint32_t from, uint32_t to)
{
    if (!naming->file_of[from])
        return;
    name_moved(naming, from, to);
    naming->file_of[from] = 0;
}

static void name_is_exchanged_already(struct naming *naming, uint32_t from, uint32_t to)
{
    (void)naming, (void)from, (void)to;
}

/* `from` and `to` are folders: the names in the one now are names in the other one, as `move` does
 * with each. Those that nobody uses there are not followed. */
static void move_names_below(struct naming *naming, uint32_t from, uint32_t to,
                             void (*move)(struct naming *, uint32_t from, uint32_t to))
{
    const struct fth_run_accesses *accesses = naming->accesses;
    size_t from_length, to_length, length;
    const char *from_text = fth_run_accesses_name(accesses, from, &from_length);
    const char *to_text = fth_run_accesses_name(accesses, to, &to_length);
    char *folder = fth_new(from_length + 2, 1);
    memcpy(folder, from_text, from_length);
    folder[from_length] = '/';
    for (uint32_t at = first_name_from(naming, folder); at < accesses->names.count; at++) {
        uint32_t name = naming->sorted[at], moved;
        const char *text = fth_run_accesses_name(accesses, name, &length);
        if (strncmp(text, folder, from_length + 1) != 0)
            break;
        size_t rest = length - from_length + 1; /* with what ends it */
        char *path = fth_new(to_length + rest, 1);
        memcpy(path, to_text, to_length);
        memcpy(path + to_length, text + from_length, rest);
        if (fth_intern_find(&accesses->names, path, to_length + rest, &moved))
            move(naming, name, moved);
        else
            naming->file_of[name] = 0;
        free(path);
    }
    free(folder);
}

/* A name of the file is gone. */
static void lose_name(struct naming *naming, uint32_t file)
{
    if (!file)
        return;
    struct known *known = &naming->known[file - 1];
    if (known->links)
        known->links--;
    known->is_gone = known->links == 0;
    known->renamed = 0;
}

/* `event->opening`: the descriptor that was given a name, maybe of a file that had none. */
static void link_name(struct naming *naming, const struct fth_name_event *event, uint32_t from,
                      uint32_t to)
{
    uint32_t file = 0;
    if (event->opening != FTH_NO_OPENING)
        file = settled(naming, naming->file_of_opening[event->opening]);
    if (!file && !naming->file_of[from])
        naming->file_of[from] = new_file(naming, from);
    if (!file)
        file = named(naming, from);
    naming->file_of[to] = file;
    naming->is_symbolic[to] = event->symbolic;
    if (!event->symbolic) {
        naming->known[file - 1].links++;
        naming->known[file - 1].is_gone = false;
    }
    if (from != to && event->opening == FTH_NO_OPENING)
        fth_links_make(&naming->links, from, to);
}

/* rename does nothing then (POSIX.1-2017, rename). */
static bool are_names_of_one(struct naming *naming, uint32_t from, uint32_t to)
{
    return from == to || (naming->file_of[from] && naming->file_of[to] &&
                          named(naming, from) == named(naming, to) && !naming->is_symbolic[from] &&
                          !naming->is_symbolic[to]);
}

/* The rename only found the two. */
static void keep_names(struct fth_run_accesses *accesses, const struct fth_name_event *event)
{
    for (size_t i = 0; i < accesses->touch_count; i++) {
        struct fth_touch *touch = &accesses->touches[i];
        bool is_of_it = touch->start == event->time && touch->kind == FTH_TOUCH_REMOVE;
        if (is_of_it && (touch->name == event->from || touch->name == event->to)) {
            touch->kind = FTH_TOUCH_LOOK;
            touch->is_there = true;
        }
    }
}

static void move_name(struct naming *naming, uint32_t from, uint32_t to)
{
    move_names_below(naming, from, to, name_below_moved);
    if (!naming->is_symbolic[to])
        lose_name(naming, named(naming, to));
    name_moved(naming, from, to);
    naming->is_symbolic[to] = naming->is_symbolic[from];
    fth_links_move(&naming->links, from, to);
}

static void exchange_names(struct naming *naming, uint32_t from, uint32_t to)
{
    if (from == to)
        return;
    move_names_below(naming, from, to, names_exchanged);
    move_names_below(naming, to, from, name_is_exchanged_already);
    names_exchanged(naming, from, to);
}

static void change_name(struct naming *naming, const struct fth_name_event *event)
{
    uint32_t from = fth_links_follow(&naming->links, event->from);
    uint32_t to =
        event->change == FTH_NAME_DELETED ? from : fth_links_follow(&naming->links, event->to);
    if (event->change == FTH_NAME_LINKED || event->change == FTH_NAME_EXCHANGED) {
        if (event->change == FTH_NAME_LINKED)
            link_name(naming, event, from, to);
        else
            exchange_names(naming, from, to);
        return;
    }
    if (event->change == FTH_NAME_MOVED && are_names_of_one(naming, from, to)) {
        keep_names(naming->accesses, event);
        return;
    }
    if (event->change == FTH_NAME_MOVED)
        move_name(naming, from, to);
    if (event->change == FTH_NAME_DELETED && !naming->is_symbolic[from])
        lose_name(naming, named(naming, from));
    naming->file_of[from] = 0;
    naming->is_symbolic[from] = false;
    fth_links_remove(&naming->links, from);
}

/* ---- all of it ---- */

/* Numbers files without those that have turned out to be others; returns the number of each
 * opening's file. To be freed. */
static uint32_t *number_files(struct naming *naming, size_t opening_count)
{
    struct fth_files *files = naming->files;
    uint32_t *now = fth_new(files->count + 1, sizeof *now), count = 0;
    files->renamed = fth_new(files->count + 1, sizeof *files->renamed);
    for (uint32_t file = 1; file <= files->count; file++)
        if (settled(naming, file) == file) {
            uint32_t renamed = naming->known[file - 1].renamed;
            files->names[count] = files->names[file - 1];
            files->renamed[count] = renamed == files->names[count] + 1 ? 0 : renamed;
            now[file] = count++;
        }
    for (size_t i = 0; i < opening_count; i++)
        naming->file_of_opening[i] = now[settled(naming, naming->file_of_opening[i])];
    files->count = count;
    free(now);
    return naming->file_of_opening;
}

static void free_naming(struct naming *naming)
{
    free(naming->file_of);
    free(naming->sorted);
    free(naming->inherited);
    fth_links_close(&naming->links);
    free(naming->is_symbolic);
    free(naming->known);
    free(naming->file_with);
    fth_intern_free(&naming->numbers);
}

static uint32_t handle_of(const struct fth_run_accesses *accesses, uint32_t opening)
{
    return opening != FTH_NO_OPENING && accesses->openings[opening].by_mpi ? opening
                                                                           : FTH_NO_OPENING;
}

void fth_files_identify(struct fth_files *files, struct fth_run_accesses *accesses,
                        const struct fth_runs *runs)
{
    struct naming naming = {.files = files, .accesses = accesses};
    fth_links_open(&naming.links, accesses);
    naming.file_of = fth_new(accesses->names.count + 1, sizeof *naming.file_of);
    naming.is_symbolic = fth_new(accesses->names.count + 1, sizeof *naming.is_symbolic);
    naming.file_of_opening = fth_new(accesses->opening_count + 1, sizeof *naming.file_of_opening);
    naming.sorted = sorted_names(accesses);
    naming.inherited = fth_inherited_openings_find(accesses, runs);
    size_t count;
    struct happening *all = in_order_of_time(accesses, &count);
    for (size_t i = 0; i < count; i++) {
        if (all[i].is_opening)
            open_file(&naming, all[i].index);
        else
            change_name(&naming, &accesses->name_events[all[i].index]);
    }
    uint32_t *file_of_opening = number_files(&naming, accesses->opening_count);
    for (size_t i = 0; i < accesses->opening_count; i++)
        accesses->openings[i].file = file_of_opening[i];
    for (size_t i = 0; i < accesses->situation_count; i++) {
        struct fth_situation *situation = &accesses->situations[i];
        situation->handle = handle_of(accesses, situation->opening);
        situation->opening = file_of_opening[situation->opening];
    }
    for (size_t i = 0; i < accesses->mark_count; i++) {
        struct fth_sync_mark *mark = &accesses->marks[i];
        mark->handle = handle_of(accesses, mark->opening);
        if (mark->opening != FTH_NO_OPENING)
            mark->opening = file_of_opening[mark->opening];
    }
    free(all);
    free(file_of_opening);
    free_naming(&naming);
}

const char *fth_files_renamed(const struct fth_files *files,
                              const struct fth_run_accesses *accesses, uint32_t file)
{
    size_t length;
    return files->renamed[file] ? fth_run_accesses_name(accesses, files->renamed[file] - 1, &length)
                                : NULL;
}

void fth_files_free(struct fth_files *files)
{
    free(files->names);
    free(files->renamed);
    *files = (struct fth_files){0};
}

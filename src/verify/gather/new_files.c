/* Goes through the calls on a name in order of time, as far as it matters whether the name is
 * there; who made it then is held against all others that may have. */
#include "verify/gather/new_files.h"

#include "base/memory.h"
#include "verify/gather/name_history.h"

#include <string.h>

/* What is known of a file. */
struct file {
    uint32_t name;          /* that the first one asked for who had it open + 1; 0: nobody had */
    uint32_t real;          /* what that led to, if the system says; else the same; not + 1 */
    int64_t opened;         /* when that was */
    bool has_other_names;   /* it had then; what has just been made has one */
    bool is_made_otherwise; /* who opened it by another name may have made it */
    const struct fth_touch *birth; /* the call that made it; NULL: not known */
    const struct fth_touch
        *missing; /* the last one before that which the name was missing behind */
    bool by_one;  /* no other call may have made it */
    bool is_cut;  /* some call cut it off */
};

/* What made the file that stands under a name, and what it was missing behind; or NULL. */
struct birth {
    struct fth_touch *by;
    const struct fth_touch *missing;
};

struct new_files {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct fth_name_history history;
    struct file *files;
    struct birth *births;    /* behind each place of the history, of names that were asked for */
    bool *is_followed;       /* those, by name */
    uint32_t *written;       /* situations that write, by file */
    uint32_t *first_written; /* by file; one more than there are files */
};

/* ---- sorting ---- */

static void add_up(uint32_t *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

/* A length is given to a file by a call that removes what is behind it. */
static bool fills(const struct fth_situation *situation)
{
    return situation->writes && !situation->empties;
}

static void sort_written(struct new_files *all, uint32_t file_count)
{
    const struct fth_run_accesses *accesses = all->accesses;
    all->written = fth_new(accesses->situation_count + 1, sizeof *all->written);
    all->first_written = fth_new(file_count + 2, sizeof *all->first_written);
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (fills(&accesses->situations[i]))
            all->first_written[accesses->situations[i].opening + 1]++;
    add_up(all->first_written, file_count);
    uint32_t *next = fth_new(file_count + 1, sizeof *next);
    memcpy(next, all->first_written, file_count * sizeof *next);
    for (uint32_t i = 0; i < accesses->situation_count; i++)
        if (fills(&accesses->situations[i]))
            all->written[next[accesses->situations[i].opening]++] = i;
    free(next);
}

/* ---- what shows that a name is missing ---- */

static bool shows_missing(const struct fth_touch *touch)
{
    return touch->is_missing || (touch->kind == FTH_TOUCH_REMOVE && !touch->is_there);
}

/* The call that made the folder; NULL: it is not known to have been new until then. */
static const struct fth_touch *making_of(const struct new_files *all, uint32_t folder, int64_t time)
{
    const struct fth_touch *last =
        fth_name_history_last(&all->history, all->history.made, folder, time);
    return last && last->kind == FTH_TOUCH_MAKE_NEW && last->is_empty ? last : NULL;
}

/* The next folder above a name that some call touched; false: there is none. `length`: how much of
 * the name is left. */
static bool go_up(const struct new_files *all, uint32_t name, size_t *length, uint32_t *folder)
{
    size_t whole;
    const char *text = fth_run_accesses_name(all->accesses, name, &whole);
    while ((*length)-- > 1) {
        if (text[*length] != '/')
            continue;
        char *above = fth_new(*length + 1, 1);
        memcpy(above, text, *length);
        bool found = fth_intern_find(&all->accesses->names, above, *length + 1, folder);
        free(above);
        if (found)
            return true;
    }
    return false;
}

static size_t length_of(const struct new_files *all, uint32_t name)
{
    return strlen(fth_run_accesses_name(all->accesses, name, &(size_t){0}));
}

/* The call that made a folder above the name: nothing was in it. */
static const struct fth_touch *making_above(const struct new_files *all, uint32_t name,
                                            int64_t time)
{
    const struct fth_touch *making = NULL;
    size_t length = length_of(all, name);
    for (uint32_t folder; !making && go_up(all, name, &length, &folder);)
        making = making_of(all, folder, time);
    return making;
}

/* ---- who made a file ---- */

static bool makes_name(const struct fth_touch *touch)
{
    return touch->is_there && (touch->kind == FTH_TOUCH_MAKE || touch->kind == FTH_TOUCH_MAKE_NEW ||
                               touch->kind == FTH_TOUCH_REMOVE);
}

/* Does it put a folder there that may have something in it? By renaming it, or by a link to it. */
static bool brings_folder(const struct fth_touch *touch)
{
    return makes_name(touch) && touch->kind != FTH_TOUCH_MAKE && !touch->is_empty;
}

/* Clocks of other nodes, and what was done between two runs, say nothing. */
static bool was_over(const struct new_files *all, const struct fth_touch *touch,
                     const struct fth_touch *later)
{
    const struct fth_runs *runs = all->runs;
    if (fth_touch_came_before(runs, touch, later))
        return true;
    const char *host = fth_runs_process(runs, touch->proc)->host;
    const char *other = fth_runs_process(runs, later->proc)->host;
    return touch->times == 1 && touch->end < later->start && host && other &&
           strcmp(host, other) == 0;
}

/* Comes each call on the name that may have put the file there since it was missing behind
 * `birth`? Then so do those that the same thread makes next. */
static bool is_first_of(const struct new_files *all, uint32_t name,
                        bool (*puts)(const struct fth_touch *touch), const struct fth_touch *birth,
                        const struct fth_touch *missing, bool *by_one)
{
    uint32_t end = all->accesses->first_touch[name + 1];
    for (uint32_t i = all->accesses->first_touch[name], next; i < end; i = next) {
        const struct fth_touch *other = all->accesses->touches_by_name[i];
        next = missing ? fth_name_history_behind(&all->history, i, missing) : i;
        if (next > i)
            continue;
        next = i + 1;
        if (other == birth || !puts(other) || (missing && was_over(all, other, missing)))
            continue;
        *by_one = false;
        if (!fth_touch_came_before(all->runs, birth, other))
            return false;
        next = all->history.run_end[i];
    }
    return true;
}

/* By its name, or by a folder above it. */
static bool is_first_by(const struct new_files *all, uint32_t name, const struct fth_touch *birth,
                        const struct fth_touch *missing, bool *by_one)
{
    size_t length = length_of(all, name);
    bool is_first = is_first_of(all, name, makes_name, birth, missing, by_one);
    for (uint32_t folder; is_first && go_up(all, name, &length, &folder);)
        is_first = is_first_of(all, folder, brings_folder, birth, missing, by_one);
    return is_first;
}

static bool is_birth(const struct new_files *all, struct file *file, const struct fth_touch *birth,
                     const struct fth_touch *missing)
{
    uint32_t name = file->name - 1;
    file->by_one = birth->times == 1;
    bool is_first =
        is_first_by(all, name, birth, missing, &file->by_one) &&
        (file->real == name || is_first_by(all, file->real, birth, missing, &file->by_one));
    if (birth->kind == FTH_TOUCH_MAKE_NEW)
        return true;
    return is_first && !file->has_other_names &&
           fth_runs_of(all->runs, missing->proc) == fth_runs_of(all->runs, birth->proc);
}

/* The last call that made the name, if the name was missing then: at each time. */
static void find_births(const struct new_files *all, uint32_t name)
{
    struct birth birth = {0};
    const struct fth_touch *missing = NULL;
    bool is_there = false;
    for (uint32_t i = all->accesses->first_touch[name]; i < all->accesses->first_touch[name + 1];
         i++) {
        struct fth_touch *touch = all->accesses->touches_by_name[i];
        if (shows_missing(touch)) {
            is_there = false;
            missing = touch;
            birth.by = NULL;
        } else if (touch->is_there && (!is_there || touch->kind == FTH_TOUCH_MAKE_NEW)) {
            birth.missing = missing ? missing : making_above(all, name, touch->start);
            bool is_new = touch->kind == FTH_TOUCH_MAKE_NEW || birth.missing;
            birth.by = touch->is_empty && is_new ? touch : NULL;
            missing = NULL;
            is_there = true;
        } else if (touch->is_there && touch->kind == FTH_TOUCH_REMOVE) {
            birth.by = NULL; /* something else was renamed to it */
        }
        all->births[i] = birth;
    }
    all->is_followed[name] = true;
}

/* Before the file was open. */
static void find_birth(const struct new_files *all, struct file *file)
{
    uint32_t name = file->name - 1;
    uint32_t begun = fth_name_history_begun(&all->history, name, file->opened);
    if (begun == all->accesses->first_touch[name])
        return;
    if (!all->is_followed[name])
        find_births(all, name);
    struct birth birth = all->births[begun - 1];
    if (birth.by && is_birth(all, file, birth.by, birth.missing)) {
        file->birth = birth.by;
        file->missing = birth.missing;
        birth.by->cuts = false;
    }
}

/* ---- what was removed ---- */

static bool is_part_of(const struct fth_situation *cut, const struct fth_touch *birth)
{
    return cut->proc == birth->proc && cut->thread == birth->thread && birth->times == 1 &&
           cut->start >= birth->start && cut->end_time <= birth->end;
}

static bool came_before(const struct new_files *all, const struct fth_situation *a,
                        const struct fth_situation *b)
{
    if (a->proc == b->proc && a->thread == b->thread)
        return a->last_call < b->first_call;
    return a->end.step != FTH_NEVER && fth_runs_before(all->runs, a->end, b->begin);
}

static bool came_behind_birth(const struct new_files *all, const struct fth_situation *cut,
                              const struct fth_touch *birth)
{
    if (cut->proc == birth->proc && cut->thread == birth->thread)
        return cut->first_call >= birth->call;
    return fth_runs_before(all->runs, birth->moment, cut->begin);
}

static bool comes_behind(const struct new_files *all, const struct fth_situation *cut,
                         const struct fth_touch *touch)
{
    if (touch->proc == cut->proc && touch->thread == cut->thread)
        return cut->last_call < touch->call;
    return cut->end.step != FTH_NEVER && fth_runs_before(all->runs, cut->end, touch->moment);
}

/* Do all that gave the file room come behind the cut? What was over when the name was missing was
 * about another file. */
static bool had_no_room(const struct new_files *all, const struct fth_situation *cut, uint32_t name)
{
    const struct fth_touch *missing = all->files[cut->opening].missing;
    uint32_t end = all->accesses->first_touch[name + 1];
    for (uint32_t i = all->accesses->first_touch[name], next; i < end; i = next) {
        const struct fth_touch *touch = all->accesses->touches_by_name[i];
        next = missing ? fth_name_history_behind(&all->history, i, missing) : i;
        if (next > i)
            continue;
        next = i + 1;
        if (comes_behind(all, cut, touch))
            next = all->history.run_end[i];
        else if (touch->kind == FTH_TOUCH_LENGTHEN && !(missing && was_over(all, touch, missing)))
            return false;
    }
    return true;
}

/* Do all that wrote come behind the cut? */
static bool was_empty(const struct new_files *all, uint32_t cut)
{
    const struct fth_situation *situations = all->accesses->situations;
    uint32_t file = situations[cut].opening;
    for (uint32_t i = all->first_written[file]; i < all->first_written[file + 1]; i++) {
        if (!came_before(all, &situations[cut], &situations[all->written[i]]))
            return false;
    }
    return had_no_room(all, &situations[cut], all->files[file].name - 1) &&
           had_no_room(all, &situations[cut], all->files[file].real);
}

static bool removes_nothing(const struct new_files *all, uint32_t number)
{
    const struct fth_situation *cut = &all->accesses->situations[number];
    const struct file *file = &all->files[cut->opening];
    if (cut->makes_new)
        return true;
    if (!file->birth)
        return false;
    if (is_part_of(cut, file->birth) && file->by_one)
        return true;
    return came_behind_birth(all, cut, file->birth) && was_empty(all, number);
}

/* Had anybody the file open, or found its name, before the call that opened it? */
static bool was_seen(const struct new_files *all, const struct fth_situation *cut)
{
    const struct file *file = &all->files[cut->opening];
    if (!file->name || file->opened < cut->start)
        return true;
    const struct fth_touch *last =
        fth_name_history_last(&all->history, all->history.seen, file->name - 1, cut->start);
    return last && last->is_there;
}

static void judge_cut(const struct new_files *all, uint32_t number)
{
    struct fth_situation *cut = &all->accesses->situations[number];
    cut->removes_nothing = removes_nothing(all, number);
    cut->perhaps_nothing = cut->may_make && !cut->removes_nothing && !was_seen(all, cut);
}

static uint32_t *openings_by_file(const struct fth_run_accesses *accesses, uint32_t file_count,
                                  uint32_t *first)
{
    uint32_t *sorted = fth_new(accesses->opening_count + 1, sizeof *sorted);
    for (size_t i = 0; i < accesses->opening_count; i++)
        first[accesses->openings[i].file + 2]++;
    add_up(first + 1, file_count);
    for (uint32_t i = 0; i < accesses->opening_count; i++)
        sorted[first[accesses->openings[i].file + 1]++] = i;
    return sorted;
}

static void note_opening(struct file *file, const struct fth_opening *opening)
{
    if (!file->name || opening->time < file->opened) {
        file->opened = opening->time;
        file->name = opening->asked + 1;
        file->real = opening->name;
        file->has_other_names = opening->links > 1;
    }
}

/* Has the process its descriptor from one that was seen to open the file? `by`: by process, the
 * last file that it opened + 1. */
static bool is_handed_down(const struct new_files *all, const uint32_t *by, uint32_t proc,
                           uint32_t file)
{
    for (; proc != FTH_NO_PREDECESSOR; proc = fth_runs_predecessor(all->runs, proc))
        if (by[proc] == file + 1)
            return true;
    return false;
}

/* Openings that were not seen are of descriptors that were inherited; who opened them, such as
 * posix_spawn for its child, may have made the file. */
static void find_names(const struct new_files *all, uint32_t number, const uint32_t *openings,
                       size_t count, uint32_t *by)
{
    struct file *file = &all->files[number];
    for (size_t i = 0; i < count; i++) {
        const struct fth_opening *opening = &all->accesses->openings[openings[i]];
        if (!opening->was_seen)
            continue;
        note_opening(file, opening);
        by[opening->proc] = number + 1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fth_opening *opening = &all->accesses->openings[openings[i]];
        file->is_made_otherwise |= opening->was_seen
                                       ? opening->creates && opening->asked + 1 != file->name
                                       : !is_handed_down(all, by, opening->proc, number);
    }
}

static void find_files(struct new_files *all, uint32_t file_count)
{
    uint32_t *first = fth_new(file_count + 3, sizeof *first);
    uint32_t *by = fth_new(all->runs->process_count + 1, sizeof *by);
    uint32_t *openings = openings_by_file(all->accesses, file_count, first);
    for (uint32_t i = 0; i < file_count; i++) {
        struct file *file = &all->files[i];
        if (!file->is_cut)
            continue;
        find_names(all, i, openings + first[i], first[i + 1] - first[i], by);
        if (file->name && !file->is_made_otherwise)
            find_birth(all, file);
    }
    free(first);
    free(by);
    free(openings);
}

void fth_new_files_find(struct fth_run_accesses *accesses, uint32_t file_count,
                        const struct fth_runs *runs)
{
    struct new_files all = {
        .accesses = accesses, .runs = runs, .history = fth_name_history_of(accesses, runs)};
    bool any = false;
    all.files = fth_new(file_count + 1, sizeof *all.files);
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].empties)
            any = all.files[accesses->situations[i].opening].is_cut = true;
    if (any) {
        all.births = fth_new(accesses->touch_count + 1, sizeof *all.births);
        all.is_followed = fth_new(accesses->names.count + 1, sizeof *all.is_followed);
        sort_written(&all, file_count);
        find_files(&all, file_count);
        for (uint32_t i = 0; i < accesses->situation_count; i++)
            if (accesses->situations[i].empties)
                judge_cut(&all, i);
    }
    fth_name_history_free(&all.history);
    free(all.births);
    free(all.is_followed);
    free(all.files);
    free(all.written);
    free(all.first_written);
}

/* Goes through the calls on a name in order of time, as far as it matters whether the name is
 * there; who made it then is held against all others that may have. */
#include "verify/gather/new_files.h"

#include "base/memory.h"

#include <string.h>

/* What is known of a file. */
struct file {
    uint32_t name;          /* that the first one asked for who had it open + 1; 0: nobody had */
    int64_t opened;         /* when that was */
    bool is_made_otherwise; /* who opened it by another name may have made it */
    const struct fth_touch *birth; /* the call that made it; NULL: not known */
    bool by_one;                   /* no other call may have made it */
    bool is_cut;                   /* some call cut it off */
};

struct new_files {
    struct fth_run_accesses *accesses;
    const struct fth_runs *runs;
    struct file *files;
    uint32_t *written;       /* situations that write, by file */
    uint32_t *first_written; /* by file; one more than there are files */
};

bool fth_touch_came_before(const struct fth_runs *runs, const struct fth_touch *a,
                           const struct fth_touch *b)
{
    if (a->proc == b->proc && a->thread == b->thread)
        return a->call < b->call;
    return fth_runs_before(runs, a->moment, b->moment);
}

/* ---- sorting ---- */

static int by_name_and_time(const void *a, const void *b)
{
    const struct fth_touch *one = *(struct fth_touch *const *)a;
    const struct fth_touch *other = *(struct fth_touch *const *)b;
    if (one->name != other->name)
        return one->name < other->name ? -1 : 1;
    if (one->start != other->start)
        return one->start < other->start ? -1 : 1;
    return one->call < other->call ? -1 : one->call > other->call;
}

static void add_up(uint32_t *first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

static void sort_touches(struct fth_run_accesses *accesses)
{
    accesses->touches_by_name = fth_new(accesses->touch_count + 1, sizeof(struct fth_touch *));
    accesses->first_touch = fth_new(accesses->names.count + 2, sizeof *accesses->first_touch);
    for (size_t i = 0; i < accesses->touch_count; i++) {
        accesses->touches_by_name[i] = &accesses->touches[i];
        accesses->first_touch[accesses->touches[i].name + 1]++;
    }
    add_up(accesses->first_touch, accesses->names.count);
    qsort(accesses->touches_by_name, accesses->touch_count, sizeof(struct fth_touch *),
          by_name_and_time);
}

static void sort_written(struct new_files *all, uint32_t file_count)
{
    const struct fth_run_accesses *accesses = all->accesses;
    all->written = fth_new(accesses->situation_count + 1, sizeof *all->written);
    all->first_written = fth_new(file_count + 2, sizeof *all->first_written);
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].writes && !accesses->situations[i].removes)
            all->first_written[accesses->situations[i].opening + 1]++;
    add_up(all->first_written, file_count);
    uint32_t *next = fth_new(file_count + 1, sizeof *next);
    memcpy(next, all->first_written, file_count * sizeof *next);
    for (uint32_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].writes && !accesses->situations[i].removes)
            all->written[next[accesses->situations[i].opening]++] = i;
    free(next);
}

/* ---- who made a file ---- */

static bool makes_name(const struct fth_touch *touch)
{
    return touch->is_there && (touch->kind == FTH_TOUCH_MAKE || touch->kind == FTH_TOUCH_MAKE_NEW ||
                               touch->kind == FTH_TOUCH_REMOVE);
}

/* Was a folder made, and nothing put in its place until then? All in it is new. */
static bool is_folder_new(const struct new_files *all, uint32_t folder, int64_t time)
{
    bool is_new = false;
    for (uint32_t i = all->accesses->first_touch[folder];
         i < all->accesses->first_touch[folder + 1]; i++) {
        const struct fth_touch *touch = all->accesses->touches_by_name[i];
        if (touch->end > time)
            break;
        is_new = touch->kind == FTH_TOUCH_MAKE_NEW ? touch->is_empty
                                                   : is_new && touch->kind != FTH_TOUCH_REMOVE;
    }
    return is_new;
}

static bool is_in_new_folder(const struct new_files *all, uint32_t name, int64_t time)
{
    size_t length;
    const char *text = fth_run_accesses_name(all->accesses, name, &length);
    char *folder = fth_new(length + 1, 1);
    bool is_new = false;
    memcpy(folder, text, length);
    for (size_t i = length; i-- > 1 && !is_new;) {
        uint32_t above;
        if (folder[i] != '/')
            continue;
        folder[i] = 0;
        is_new = fth_intern_find(&all->accesses->names, folder, i + 1, &above) &&
                 is_folder_new(all, above, time);
    }
    free(folder);
    return is_new;
}

/* May no other call have made the name since it was missing, but one that comes after `birth`? */
static bool is_first(const struct new_files *all, const struct fth_touch *birth, int64_t missing,
                     bool *by_one)
{
    *by_one = birth->times == 1;
    for (uint32_t i = all->accesses->first_touch[birth->name];
         i < all->accesses->first_touch[birth->name + 1]; i++) {
        const struct fth_touch *other = all->accesses->touches_by_name[i];
        if (other == birth || !makes_name(other) || other->start < missing)
            continue;
        *by_one = false;
        if (!fth_touch_came_before(all->runs, birth, other))
            return false;
    }
    return true;
}

/* The last call that made the name before the file was open, if the name was missing then. */
static void find_birth(const struct new_files *all, struct file *file)
{
    uint32_t name = file->name - 1;
    struct fth_touch *birth = NULL;
    int64_t missing = -1, missing_then = -1;
    enum { NOT_SEEN, MISSING, THERE } state = NOT_SEEN;
    for (uint32_t i = all->accesses->first_touch[name]; i < all->accesses->first_touch[name + 1];
         i++) {
        struct fth_touch *touch = all->accesses->touches_by_name[i];
        if (touch->start > file->opened)
            break;
        if (touch->is_missing || (touch->kind == FTH_TOUCH_REMOVE && !touch->is_there)) {
            state = MISSING;
            missing = touch->start;
            birth = NULL;
        } else if (touch->is_there && (state != THERE || touch->kind == FTH_TOUCH_MAKE_NEW)) {
            bool is_new = touch->kind == FTH_TOUCH_MAKE_NEW || state == MISSING ||
                          is_in_new_folder(all, name, touch->start);
            birth = touch->is_empty && is_new ? touch : NULL;
            missing_then = missing;
            state = THERE;
        } else if (touch->is_there && touch->kind == FTH_TOUCH_REMOVE) {
            birth = NULL; /* something else was renamed to it */
        }
    }
    if (birth &&
        (is_first(all, birth, missing_then, &file->by_one) || birth->kind == FTH_TOUCH_MAKE_NEW)) {
        file->birth = birth;
        birth->cuts = false;
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

/* Do all that wrote come behind the cut? */
static bool was_empty(const struct new_files *all, uint32_t cut)
{
    const struct fth_situation *situations = all->accesses->situations;
    uint32_t file = situations[cut].opening;
    for (uint32_t i = all->first_written[file]; i < all->first_written[file + 1]; i++) {
        if (!came_before(all, &situations[cut], &situations[all->written[i]]))
            return false;
    }
    return true;
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
    bool there = false;
    if (!file->name || file->opened < cut->start)
        return true;
    for (uint32_t i = all->accesses->first_touch[file->name - 1];
         i < all->accesses->first_touch[file->name]; i++) {
        const struct fth_touch *touch = all->accesses->touches_by_name[i];
        if (touch->end > cut->start)
            break;
        if (touch->is_there || touch->is_missing || touch->kind == FTH_TOUCH_REMOVE)
            there = touch->is_there;
    }
    return there;
}

static void judge_cut(const struct new_files *all, uint32_t number)
{
    struct fth_situation *cut = &all->accesses->situations[number];
    cut->removes_nothing = removes_nothing(all, number);
    cut->perhaps_nothing = cut->may_make && !cut->removes_nothing && !was_seen(all, cut);
}

static void find_files(struct new_files *all, uint32_t file_count)
{
    const struct fth_run_accesses *accesses = all->accesses;
    for (size_t i = 0; i < accesses->opening_count; i++) {
        const struct fth_opening *opening = &accesses->openings[i];
        struct file *file = &all->files[opening->file];
        if (!opening->was_seen) /* inherited, or the descriptor of a stream */
            continue;
        if (!file->name || opening->time < file->opened) {
            file->opened = opening->time;
            file->name = opening->asked + 1;
        }
    }
    for (size_t i = 0; i < accesses->opening_count; i++) {
        struct file *file = &all->files[accesses->openings[i].file];
        file->is_made_otherwise |=
            accesses->openings[i].creates && accesses->openings[i].asked + 1 != file->name;
    }
    for (uint32_t i = 0; i < file_count; i++)
        if (all->files[i].name && !all->files[i].is_made_otherwise && all->files[i].is_cut)
            find_birth(all, &all->files[i]);
}

void fth_new_files_find(struct fth_run_accesses *accesses, uint32_t file_count,
                        const struct fth_runs *runs)
{
    struct new_files all = {.accesses = accesses, .runs = runs};
    bool any = false;
    sort_touches(accesses);
    all.files = fth_new(file_count + 1, sizeof *all.files);
    for (size_t i = 0; i < accesses->situation_count; i++)
        if (accesses->situations[i].empties)
            any = all.files[accesses->situations[i].opening].is_cut = true;
    if (any) {
        sort_written(&all, file_count);
        find_files(&all, file_count);
        for (uint32_t i = 0; i < accesses->situation_count; i++)
            if (accesses->situations[i].empties)
                judge_cut(&all, i);
    }
    free(all.files);
    free(all.written);
    free(all.first_written);
}

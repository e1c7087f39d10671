/* Slices of large files are compared side by side; then small files are. Models that compare the
 * same accesses share one search for conflicts. */
#include "verify/compare/compare.h"

#include "base/memory.h"
#include "base/progress.h"
#include "verify/compare/cuts.h"
#include "verify/compare/finder.h"
#include "verify/compare/side_by_side.h"

#include <pthread.h>

/* A file, and the layers whose accesses to it are compared. */
struct task {
    unsigned layers;
    const struct fth_conflict_files *files;
    uint32_t file;
    uint64_t size; /* ranges and series */
};

enum { LARGE = 1 << 15 }; /* ranges and series of a file */

/* A large file whose slices several threads take. */
struct shared_file {
    const struct task *task;
    struct fth_conflict_file *file;
    size_t slices, next;
    size_t at_work; /* threads that are at a slice */
    struct shared_file *other;
};

struct sharing {
    const struct task *tasks; /* largest first */
    size_t task_count;
    struct shared_file *open;    /* those that are not closed yet, the last one first */
    const struct fth_cuts *cuts; /* at hand, of accesses of these layers */
    unsigned cut_layers;
    size_t next;                /* task, or slice of the cuts */
    struct fth_finder *finders; /* by thread */
    struct fth_progress progress;
    const struct fth_verify_progress *whole; /* or NULL */
    pthread_mutex_t lock;                    /* of all that changes */
};

/* ---- all files ---- */

/* The next slice of the cuts: false if there is none, or nobody wants it. */
static bool take_next(struct sharing *sharing, size_t count, size_t *next)
{
    pthread_mutex_lock(&sharing->lock);
    *next = sharing->whole && sharing->whole->given_up ? count : sharing->next;
    sharing->next += *next < count;
    pthread_mutex_unlock(&sharing->lock);
    return *next < count;
}

static void take_cuts(void *context, unsigned thread)
{
    struct sharing *sharing = context;
    struct fth_finder *finder = &sharing->finders[thread];
    size_t count = fth_cuts_slices(sharing->cuts), slice;
    fth_finder_set_layers(finder, sharing->cut_layers);
    struct fth_conflict_listener listener = fth_finder_listener(finder);
    struct fth_cuts_asked asked = {
        &finder->judge,
        finder->comparing->possible ? &finder->possible : NULL,
        listener.take,
        finder->comparing->model_layers[0] == finder->layers ? fth_finder_ask : NULL,
        finder,
        listener.takes_rows_apart};
    while (take_next(sharing, count, &slice))
        fth_cuts_find(sharing->cuts, &asked, slice);
}

/* A slice of a large file, or all of a small one. */
struct part {
    const struct task *task; /* NULL: there is nothing more to do */
    struct shared_file *shared;
    size_t slice;
};

static struct part slice_of(struct shared_file *shared)
{
    shared->at_work++;
    return (struct part){shared->task, shared, shared->next++};
}

static struct shared_file *open_shared(struct sharing *sharing, const struct task *task)
{
    struct shared_file *shared = fth_new(1, sizeof *shared);
    *shared = (struct shared_file){.task = task,
                                   .file = fth_conflict_file_open(task->files, task->file),
                                   .other = sharing->open};
    shared->slices = fth_conflict_slices(shared->file);
    sharing->open = shared;
    return shared;
}

/* Who finds no slice of the large files that are open goes on to the next file: no more of them are
 * open than there are threads. */
static struct part next_part(struct sharing *sharing)
{
    if (sharing->whole && sharing->whole->given_up)
        return (struct part){0};
    for (struct shared_file *shared = sharing->open; shared; shared = shared->other)
        if (shared->next < shared->slices)
            return slice_of(shared);
    while (sharing->next < sharing->task_count) {
        const struct task *task = &sharing->tasks[sharing->next++];
        if (task->size < LARGE)
            return (struct part){task, NULL, 0};
        struct shared_file *shared = open_shared(sharing, task);
        if (shared->slices)
            return slice_of(shared);
    }
    return (struct part){0};
}

/* Closes those that nobody is at any more. */
static void close_shared(struct sharing *sharing, bool all)
{
    for (struct shared_file **at = &sharing->open; *at;) {
        struct shared_file *shared = *at;
        if (!all && (shared->at_work || shared->next < shared->slices)) {
            at = &shared->other;
            continue;
        }
        *at = shared->other;
        fth_progress_add(&sharing->progress, shared->task->size);
        fth_conflict_file_close(shared->file);
        free(shared);
    }
}

static void take_file(const struct task *task, const struct fth_conflict_listener *listener)
{
    struct fth_conflict_file *file = fth_conflict_file_open(task->files, task->file);
    for (size_t slice = 0; slice < fth_conflict_slices(file); slice++)
        fth_conflict_find(file, slice, listener);
    fth_conflict_file_close(file);
}

static void take_parts(void *context, unsigned thread)
{
    struct sharing *sharing = context;
    struct fth_finder *finder = &sharing->finders[thread];
    struct fth_conflict_listener listener = fth_finder_listener(finder);
    pthread_mutex_lock(&sharing->lock);
    for (struct part part; (part = next_part(sharing)).task;) {
        pthread_mutex_unlock(&sharing->lock);
        fth_finder_set_layers(finder, part.task->layers);
        if (part.shared)
            fth_conflict_find(part.shared->file, part.slice, &listener);
        else
            take_file(part.task, &listener);
        pthread_mutex_lock(&sharing->lock);
        if (part.shared)
            part.shared->at_work--;
        else
            fth_progress_add(&sharing->progress, part.task->size);
        close_shared(sharing, false);
    }
    pthread_mutex_unlock(&sharing->lock);
}

static void take_all(struct sharing *sharing, const struct task *tasks, size_t count,
                     unsigned threads)
{
    sharing->tasks = tasks;
    sharing->task_count = count;
    sharing->next = 0;
    fth_side_by_side(threads, take_parts, sharing);
    close_shared(sharing, true);
}

/* What cut files off, and the accesses of these layers to them. */
static void compare_cuts(struct sharing *sharing, const struct fth_comparing *comparing,
                         unsigned layers)
{
    struct fth_cuts *cuts = fth_cuts_new(comparing->accesses, comparing->file_count, layers);
    if (!cuts)
        return;
    sharing->cuts = cuts;
    sharing->cut_layers = layers;
    sharing->next = 0;
    fth_side_by_side(comparing->threads, take_cuts, sharing);
    fth_cuts_free(cuts);
}

static int largest_first(const void *a, const void *b)
{
    const struct task *one = a, *other = b;
    if (one->size != other->size)
        return one->size > other->size ? -1 : 1;
    if (one->layers != other->layers)
        return one->layers < other->layers ? -1 : 1;
    return one->file < other->file ? -1 : one->file > other->file;
}

/* Adds a task for each file that these layers access. */
static size_t add_tasks(struct task **tasks, size_t count, unsigned layers,
                        const struct fth_conflict_files *files, uint32_t file_count)
{
    *tasks = fth_resize(*tasks, count + file_count + 1, sizeof **tasks);
    for (uint32_t file = 0; file < file_count; file++) {
        uint64_t size = fth_conflict_files_size(files, file);
        if (size)
            (*tasks)[count++] = (struct task){layers, files, file, size};
    }
    return count;
}

static void open_finders(struct sharing *sharing, const struct fth_comparing *comparing,
                         const struct fth_alike *alike)
{
    sharing->finders = fth_new(comparing->threads, sizeof *sharing->finders);
    for (unsigned i = 0; i < comparing->threads; i++)
        fth_finder_open(&sharing->finders[i], comparing, alike, i);
}

/* Puts together what the threads have found; returns whether collective calls matter. */
static bool close_finders(struct sharing *sharing, const struct fth_comparing *comparing,
                          struct fth_verdict_model *verdicts, struct fth_groups *groups,
                          struct fth_groups *threads)
{
    bool collectives_matter = false;
    for (unsigned i = 0; i < comparing->threads; i++)
        collectives_matter |= fth_finder_close(&sharing->finders[i], verdicts, groups, threads);
    free(sharing->finders);
    return collectives_matter;
}

bool fth_compare(const struct fth_comparing *comparing, struct fth_verdict_model *verdicts,
                 struct fth_groups *groups, struct fth_groups *threads)
{
    size_t model_count = comparing->models->count, count = 0;
    const unsigned *layers = comparing->model_layers;
    struct fth_conflict_files **files =
        fth_new(model_count + 1, sizeof(struct fth_conflict_files *));
    struct task *tasks = NULL;
    for (size_t i = 0; i < model_count; i++) {
        size_t earlier = 0;
        while (layers[earlier] != layers[i])
            earlier++;
        if (earlier < i)
            continue;
        files[i] = fth_conflict_files_new(comparing->accesses, comparing->file_count, layers[i]);
        count = add_tasks(&tasks, count, layers[i], files[i], 2 * comparing->file_count);
    }
    if (count)
        qsort(tasks, count, sizeof *tasks, largest_first);
    struct sharing sharing = {.whole = comparing->progress, .lock = PTHREAD_MUTEX_INITIALIZER};
    uint64_t work = 0;
    for (size_t i = 0; i < count; i++)
        work += tasks[i].size;
    struct fth_alike both = {0};
    if (comparing->possible)
        both = fth_alike_of_both(&comparing->judge->alike, &comparing->possible->alike,
                                 comparing->accesses->situation_count);
    open_finders(&sharing, comparing, comparing->possible ? &both : &comparing->judge->alike);
    fth_progress_begin(&sharing.progress, "comparing accesses", work);
    take_all(&sharing, tasks, count, comparing->threads);
    for (size_t i = 0; i < model_count; i++)
        if (files[i])
            compare_cuts(&sharing, comparing, layers[i]);
    fth_progress_end(&sharing.progress);
    bool matter = close_finders(&sharing, comparing, verdicts, groups, threads);
    fth_alike_free(&both);
    for (size_t i = 0; i < model_count; i++)
        fth_conflict_files_free(files[i]);
    free(files);
    free(tasks);
    return matter;
}

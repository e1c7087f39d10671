/* Slices of a large file are compared side by side, one file after the other; then small files are.
 * Models that compare the same accesses share one search for conflicts. */
#include "verify/compare/compare.h"

#include "base/memory.h"
#include "base/progress.h"
#include "verify/compare/alone.h"
#include "verify/compare/cuts.h"
#include "verify/compare/rows_apart.h"
#include "verify/gather/append_positions.h"
#include "verify/compare/side_by_side.h"

#include <pthread.h>

/* A file, and the layers whose accesses to it are compared. */
struct task {
    unsigned layers;
    const struct fth_conflict_files *files;
    uint32_t file;
    uint64_t size; /* ranges and series */
};

enum { AT_ONCE = 32 };

/* What one thread has found. */
struct finder {
    const struct fth_comparing *comparing;
    unsigned layers; /* of the task at hand */
    struct fth_judge judge, possible;
    unsigned thread;
    bool has_violation; /* then: */
    bool is_synchronized;
    struct fth_judge synchronized;
    bool collectives_matter;          /* a violation would be none by that one */
    struct fth_verdict_model *counts; /* by model: only counts */
    struct fth_alone_finder alone;
    struct fth_groups groups, threads;
    /* Situations are all over the memory: while those of some conflicts are on their way from
     * there, others are judged. */
    struct fth_conflict waiting[AT_ONCE];
    size_t waiting_count;
};

enum { LARGE = 1 << 15 }; /* ranges and series of a file */

struct sharing {
    const struct task *tasks; /* those at hand */
    size_t task_count;
    /* the only one of them, or NULL: each is opened by the thread that compares it */
    struct fth_conflict_file *large;
    const struct fth_cuts *cuts; /* at hand, of accesses of these layers */
    unsigned cut_layers;
    size_t next;            /* slice of the large file or of the cuts, or task */
    struct finder *finders; /* by thread */
    struct fth_progress progress;
    const struct fth_verify_progress *whole; /* or NULL */
    pthread_mutex_t lock;                    /* of `next` and `progress` */
};

/* ---- one conflict ---- */

/* Two writes to the end of the file: one stands for its bytes, the other one for where it found the
 * end. */
static bool are_appends(const struct fth_situation *a, const struct fth_situation *b)
{
    return fth_is_append(a) && fth_is_append(b);
}

/* What was accessed through a shared file pointer is not accessed through it again, until it is
 * set. */
static bool take_turns(const struct finder *finder, const struct fth_situation *a,
                       const struct fth_situation *b)
{
    return a->by_shared_pointer && a->by_shared_pointer == b->by_shared_pointer &&
           fth_carriers_opened_together(finder->judge.carriers, a, b);
}

/* That an append depends on one that wrote before it does not depend on where that went. */
static bool is_unsure(const struct fth_situation *a, const struct fth_situation *b)
{
    bool end_and_append = are_appends(a, b) && a->region != b->region;
    return !end_and_append && (a->unsure || b->unsure);
}

/* Would they be synchronized under the model by what the judge knows, which is more? */
static bool would_be_synchronized(struct fth_judge *judge, size_t model, bool ordered,
                                  const struct fth_situation *x, const struct fth_situation *y)
{
    if (!ordered) {
        enum fth_precedence precedence = fth_judge_precedence(judge, x, y);
        if (precedence == FTH_UNORDERED_PAIR)
            return false;
        if (precedence == FTH_SECOND_IS_FIRST)
            return fth_judge_synchronized(judge, model, y, x);
    }
    return fth_judge_synchronized(judge, model, x, y);
}

/* Of a violation under the first model: would it be none if all collective calls were barriers? */
static void ask_synchronized(void *context, uint32_t x, uint32_t y, bool ordered)
{
    struct finder *finder = context;
    const struct fth_comparing *comparing = finder->comparing;
    const struct fth_situation *situations = comparing->accesses->situations;
    if (!finder->has_violation) {
        const struct fth_judge *judge = comparing->synchronized(comparing->context);
        finder->has_violation = true;
        finder->is_synchronized = judge;
        if (judge)
            finder->synchronized = fth_judge_of_thread(judge, finder->thread);
    }
    if (finder->is_synchronized && !finder->collectives_matter)
        finder->collectives_matter = would_be_synchronized(&finder->synchronized, 0, ordered,
                                                           &situations[x], &situations[y]);
}

static void judge_conflict(struct finder *finder, const struct fth_conflict *conflict)
{
    const struct fth_comparing *comparing = finder->comparing;
    const struct fth_situation *situations = comparing->accesses->situations;
    const struct fth_situation *a = &situations[conflict->a], *b = &situations[conflict->b];
    if (a->contents && a->contents == b->contents && a->proc != b->proc) {
        for (size_t i = 0; i < comparing->models->count; i++)
            if (comparing->model_layers[i] == finder->layers)
                finder->counts[i].equal_pairs += conflict->pairs;
        return;
    }
    enum fth_precedence precedence = fth_judge_precedence(&finder->judge, a, b);
    bool ordered = precedence != FTH_UNORDERED_PAIR;
    if (take_turns(finder, a, b) || !fth_append_positions_is_pair(a, b, precedence))
        return;
    uint64_t call_a = fth_call_since(a, conflict->call_a),
             call_b = fth_call_since(b, conflict->call_b);
    bool b_first = ordered ? precedence == FTH_SECOND_IS_FIRST : b->start < a->start;
    struct fth_violation violation = {
        .x = b_first ? conflict->b : conflict->a,
        .y = b_first ? conflict->a : conflict->b,
        .x_call = b_first ? call_b : call_a,
        .y_call = b_first ? call_a : call_b,
        .start = conflict->start,
        .end = conflict->end,
        .ordered = ordered,
        .unsure = is_unsure(a, b),
        .hazard = b_first ? fth_hazard_of(b, a, ordered) : fth_hazard_of(a, b, ordered),
    };
    if (a->proc == b->proc)
        fth_alone_judge(&finder->alone, conflict, violation);
    uint64_t racy = 0, doubtful = 0,
             threads = 0; /* a bit for each model; their number is limited */
    for (size_t i = 0; i < comparing->models->count; i++) {
        struct fth_verdict_model *model = &finder->counts[i];
        if (comparing->model_layers[i] != finder->layers)
            continue;
        if (a->proc == b->proc) {
            model->same_process_pairs += conflict->pairs;
            model->unordered_in_process += ordered ? 0 : conflict->pairs;
            threads |= ordered ? 0 : (uint64_t)1 << i;
            continue;
        }
        model->conflict_pairs += conflict->pairs;
        model->hazards[violation.hazard] += conflict->pairs;
        if (ordered && fth_judge_synchronized(&finder->judge, i, &situations[violation.x],
                                              &situations[violation.y]))
            continue;
        if (!ordered && comparing->models->models[i].atomic_appends && are_appends(a, b)) {
            model->unordered_appends += conflict->pairs;
            continue;
        }
        bool by_means = fth_means_are_missing(comparing->means, &situations[violation.x],
                                              &situations[violation.y]) ||
                        (comparing->possible &&
                         would_be_synchronized(&finder->possible, i, ordered,
                                               &situations[violation.x], &situations[violation.y]));
        bool unsure = violation.unsure || by_means;
        *(unsure ? &model->unsure : &model->violations) += conflict->pairs;
        model->by_means += by_means ? conflict->pairs : 0;
        *(by_means ? &doubtful : &racy) |= (uint64_t)1 << i;
    }
    if (racy)
        fth_groups_add(&finder->groups, racy, &violation, conflict->pairs);
    if (racy & 1 && !violation.unsure)
        ask_synchronized(finder, violation.x, violation.y, ordered);
    if (doubtful)
        violation.doubt =
            fth_means_between(comparing->means, &situations[violation.x], &situations[violation.y]);
    if (doubtful)
        fth_groups_add(&finder->groups, doubtful, &violation, conflict->pairs);
    violation.doubt = NULL;
    if (threads)
        fth_groups_add(&finder->threads, threads, &violation, conflict->pairs);
}

/* Those that wait. Must be done before the layers change. */
static void judge_waiting(struct finder *finder)
{
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    for (size_t i = 0; i < finder->waiting_count; i++) {
        fth_judge_fetch_reached(&finder->judge, &situations[finder->waiting[i].a]);
        fth_judge_fetch_reached(&finder->judge, &situations[finder->waiting[i].b]);
    }
    for (size_t i = 0; i < finder->waiting_count; i++)
        judge_conflict(finder, &finder->waiting[i]);
    finder->waiting_count = 0;
}

static void take_conflict(void *context, const struct fth_conflict *conflict)
{
    struct finder *finder = context;
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    finder->waiting[finder->waiting_count++] = *conflict;
    fth_judge_fetch(&finder->judge, &situations[conflict->a]);
    fth_judge_fetch(&finder->judge, &situations[conflict->b]);
    if (finder->waiting_count == AT_ONCE)
        judge_waiting(finder);
}

static void take_rows(void *context, const struct fth_conflict_rows *rows)
{
    struct finder *finder = context;
    const struct fth_situation *situations = finder->comparing->accesses->situations;
    const struct fth_situation *a = &situations[rows->a.units->situation],
                               *b = &situations[rows->b.units->situation];
    if (a->proc != b->proc)
        fth_rows_apart_judge(
            &(struct fth_rows_finder){finder->comparing, &finder->judge,
                                      finder->comparing->possible ? &finder->possible : NULL,
                                      finder->counts, &finder->groups, finder->layers,
                                      take_conflict, ask_synchronized, finder},
            rows);
    else if (fth_append_positions_is_pair(a, b, FTH_FIRST_IS_FIRST))
        fth_alone_judge_rows(&finder->alone, rows, take_conflict, finder);
}

static struct fth_conflict_listener listener_of(struct finder *finder)
{
    return (struct fth_conflict_listener){take_conflict, take_rows, finder,
                                          fth_rows_apart_can_be_judged(finder->comparing)};
}

/* Those of the next task are between accesses of these layers. */
static void set_layers(struct finder *finder, unsigned layers)
{
    finder->layers = finder->alone.layers = layers;
}

/* ---- all files ---- */

/* What is to be done next: false if there is nothing, or nobody wants it. `done`: ranges and series
 * that were compared since the last time. */
static bool take_next(struct sharing *sharing, size_t count, uint64_t done, size_t *next)
{
    pthread_mutex_lock(&sharing->lock);
    *next = sharing->whole && sharing->whole->given_up ? count : sharing->next;
    sharing->next += *next < count;
    fth_progress_add(&sharing->progress, done);
    pthread_mutex_unlock(&sharing->lock);
    return *next < count;
}

static void take_slices(void *context, unsigned thread)
{
    struct sharing *sharing = context;
    struct finder *finder = &sharing->finders[thread];
    struct fth_conflict_listener listener = listener_of(finder);
    size_t count = fth_conflict_slices(sharing->large), slice;
    set_layers(finder, sharing->tasks->layers);
    while (take_next(sharing, count, 0, &slice))
        fth_conflict_find(sharing->large, slice, &listener);
    judge_waiting(finder);
}

static void take_cuts(void *context, unsigned thread)
{
    struct sharing *sharing = context;
    struct finder *finder = &sharing->finders[thread];
    size_t count = fth_cuts_slices(sharing->cuts), slice;
    set_layers(finder, sharing->cut_layers);
    struct fth_cuts_asked asked = {
        &finder->judge,
        finder->comparing->possible ? &finder->possible : NULL,
        take_conflict,
        finder->comparing->model_layers[0] == finder->layers ? ask_synchronized : NULL,
        finder,
        fth_rows_apart_can_be_judged(finder->comparing)};
    while (take_next(sharing, count, 0, &slice))
        fth_cuts_find(sharing->cuts, &asked, slice);
    judge_waiting(finder);
}

static void take_files(void *context, unsigned thread)
{
    struct sharing *sharing = context;
    struct finder *finder = &sharing->finders[thread];
    struct fth_conflict_listener listener = listener_of(finder);
    uint64_t done = 0;
    size_t next;
    while (take_next(sharing, sharing->task_count, done, &next)) {
        const struct task *task = &sharing->tasks[next];
        struct fth_conflict_file *file = fth_conflict_file_open(task->files, task->file);
        set_layers(finder, task->layers);
        for (size_t slice = 0; slice < fth_conflict_slices(file); slice++)
            fth_conflict_find(file, slice, &listener);
        judge_waiting(finder);
        fth_conflict_file_close(file);
        done = task->size;
    }
}

static void take_all(struct sharing *sharing, const struct task *tasks, size_t count,
                     unsigned threads)
{
    size_t i = 0;
    for (; i < count && tasks[i].size >= LARGE; i++) {
        sharing->tasks = &tasks[i];
        sharing->large = fth_conflict_file_open(tasks[i].files, tasks[i].file);
        sharing->next = 0;
        fth_side_by_side(threads, take_slices, sharing);
        fth_conflict_file_close(sharing->large);
        fth_progress_add(&sharing->progress, tasks[i].size);
    }
    sharing->tasks = tasks + i;
    sharing->task_count = count - i;
    sharing->next = 0;
    fth_side_by_side(threads, take_files, sharing);
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

static void open_finders(struct sharing *sharing, const struct fth_comparing *comparing)
{
    sharing->finders = fth_new(comparing->threads, sizeof *sharing->finders);
    for (unsigned i = 0; i < comparing->threads; i++) {
        struct finder *finder = &sharing->finders[i];
        finder->comparing = comparing;
        finder->thread = i;
        finder->judge = fth_judge_of_thread(comparing->judge, i);
        if (comparing->possible)
            finder->possible = fth_judge_of_thread(comparing->possible, i);
        finder->counts = fth_new(comparing->models->count + 1, sizeof *finder->counts);
        for (size_t k = 0; k < comparing->models->count; k++)
            finder->counts[k].alone = fth_new(comparing->models->models[k].alone_count + 1,
                                              sizeof *finder->counts->alone);
        finder->alone = (struct fth_alone_finder){comparing, &finder->judge, finder->counts, 0};
        fth_groups_open(&finder->groups, comparing->accesses);
        fth_groups_open(&finder->threads, comparing->accesses);
    }
}

static void add_counts(struct fth_verdict_model *to, const struct fth_verdict_model *from)
{
    to->conflict_pairs += from->conflict_pairs;
    to->same_process_pairs += from->same_process_pairs;
    to->unordered_in_process += from->unordered_in_process;
    to->violations += from->violations;
    to->unsure += from->unsure;
    to->by_means += from->by_means;
    to->unordered_appends += from->unordered_appends;
    to->equal_pairs += from->equal_pairs;
    for (int i = 0; i < FTH_HAZARDS; i++) {
        to->hazards[i] += from->hazards[i];
        to->same_process[i] += from->same_process[i];
    }
}

/* Puts together what the threads have found; returns whether collective calls matter. */
static bool close_finders(struct sharing *sharing, const struct fth_comparing *comparing,
                          struct fth_verdict_model *verdicts, struct fth_groups *groups,
                          struct fth_groups *threads)
{
    bool collectives_matter = false;
    for (unsigned i = 0; i < comparing->threads; i++) {
        struct finder *finder = &sharing->finders[i];
        collectives_matter |= finder->collectives_matter;
        for (size_t model = 0; model < comparing->models->count; model++) {
            size_t count = comparing->models->models[model].alone_count;
            add_counts(&verdicts[model], &finder->counts[model]);
            for (size_t k = 0; k < count; k++)
                fth_alone_join(&verdicts[model].alone[k], &finder->counts[model].alone[k]);
            free(finder->counts[model].alone);
        }
        fth_groups_join(groups, &finder->groups);
        fth_groups_join(threads, &finder->threads);
        fth_groups_close(&finder->groups);
        fth_groups_close(&finder->threads);
        free(finder->counts);
    }
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
    open_finders(&sharing, comparing);
    fth_progress_begin(&sharing.progress, "comparing accesses", work);
    take_all(&sharing, tasks, count, comparing->threads);
    for (size_t i = 0; i < model_count; i++)
        if (files[i])
            compare_cuts(&sharing, comparing, layers[i]);
    fth_progress_end(&sharing.progress);
    bool matter = close_finders(&sharing, comparing, verdicts, groups, threads);
    for (size_t i = 0; i < model_count; i++)
        fth_conflict_files_free(files[i]);
    free(files);
    free(tasks);
    return matter;
}
